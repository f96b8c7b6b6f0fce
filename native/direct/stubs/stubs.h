/* Writes the small library that stands between the direct engine's libcuda.so.1 and the vendor's.
 *
 * A library exports what it had when it was linked. Which calls a driver has is known when it is there. So this one is written for the
 * driver that is found: it has an entry for every function that the vendor's file exports and abi/tables does not know, and it
 * needs the vendor's file. Programs find
 *
 *     libcuda.so.1            ours: the calls that have a rule
 *     libfacet-unruled.so.1   this one: calls that nobody knows; counted, then the vendor's
 *     the vendor's file       everything else, as it is
 *
 * in this order, whether they are linked or ask dlsym: that is how the dynamic linker searches what a library needs. */
#ifndef FACET_STUBS_H
#define FACET_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FACET_UNRULED_LIBRARY "libfacet-unruled.so.1"
#define FACET_MANAGEMENT_LIBRARY "libfacet-management.so.1"
#define FACET_UNRULED_MAGIC 0x31454c5552554e55u

/* What the written library exports as facet_unruled_table. Offsets are from its own start. */
struct facet_unruled_table {
    uint64_t magic;
    uint64_t count;    /* of calls without a rule */
    int64_t vendor;    /* path of the vendor's file, ends with 0; 0: nobody knows */
    int64_t names;     /* uint64_t[count]: from the start of the table to the name of each */
    int64_t entries;   /* code of the first call; each has FACET_STUB_BYTES */
    int64_t counts;    /* uint64_t[count]: how often each was called */
    int64_t functions; /* void *[count]: where each goes, filled in by libcuda.so.1 */
};

enum { FACET_STUB_BYTES = 16 };

/* Names that abi/tables knows, sorted. Generated. */
extern const char *const facet_known_calls[];
extern const size_t facet_known_call_count;

/* The names of the functions that a library exports. */
struct facet_symbols {
    char **names;
    size_t count;
};

/* False: why says it, and what to do. */
bool facet_symbols_read(const char *path, struct facet_symbols *symbols, char *why, size_t bytes);
void facet_symbols_free(struct facet_symbols *symbols);

/* Which library is written. */
struct facet_stubs_kind {
    const char *library; /* its name */
    const char *table;   /* of the symbol of its table */
    bool counts;         /* whether unknown calls have entries; else all are the vendor's own */
};

/* For libcuda.so.1; and for libnvidia-ml.so.1, where what is not answered by the slice passes. */
extern const struct facet_stubs_kind facet_stubs_driver, facet_stubs_management;

/* Writes the library for the vendor's file to a path, whole or not at all. named: where programs find the vendor's file, which may be another place
 * in a container. known: sorted; they get no entry. */
bool facet_stubs_write(const struct facet_stubs_kind *kind, const char *vendor, const char *named, const char *const *known, size_t known_count,
                       const char *path, char *why, size_t bytes);

/* A folder with the libraries for the vendor's libcuda, and for its libnvidia-ml unless that is NULL, written there unless it is there already: below the runtime folder, or in the user's cache where that is not
 * the user's own. */
bool facet_stubs_folder(const char *runtime, const char *vendor, const char *management, char *folder, size_t bytes, char *why, size_t why_bytes);

/* Where a library of the vendor's lies: in the folder, or where the system has it when that is NULL. Never the library that is at
 * 'except'. False when it is nowhere. */
bool facet_vendor_find(const char *folder, const char *name, const char *except, char *path, size_t bytes);

#endif
