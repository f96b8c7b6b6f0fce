/* The vendor's driver, for a container whose programs have it in them (docs/direct-engine.md): what NVIDIA's container toolkit mounts, with the
 * engine's libraries before it. Device files are the runtime's work, which has its rules of devices; here they are only looked for. */
#ifndef FACET_HOOK_VENDOR_H
#define FACET_HOOK_VENDOR_H

#include <stddef.h>

#include "json.h"
#include "rootfs.h"

/* A file that is ready to be mounted. */
struct vendor_file {
    int mount;
    bool at_home; /* in the folder that the container's linker looks into */
    char *path;   /* relative to that folder, or to the root */
};

struct vendor {
    bool wanted;
    struct facet_text root;      /* below which the machine has the driver's files */
    struct facet_text libraries; /* folder; empty: where the system has them */
    struct facet_text devices;   /* lines: paths in the container */
    struct vendor_file *files;
    size_t count;
};

/* What the daemon says of it; nothing when it does not. */
void vendor_read(struct vendor *vendor, struct facet_json answer);

/* On the machine's side: finds the driver, and writes the libraries that stand between it and the engine's. own: folder of the engine's. */
bool vendor_prepare(struct vendor *vendor, struct record *record, const char *own);

/* On the container's side. */
bool vendor_mount(struct vendor *vendor, struct rootfs *rootfs);

void vendor_free(struct vendor *vendor);

#endif
