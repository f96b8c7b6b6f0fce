/* How programs come in: cuInit, and cuGetProcAddress, which gives functions that obey the rules. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "pool.h"
#include "slice.h"
#include "time.h"
#include "unruled.h"
#include "vendor.h"

CUresult facet_direct_cuInit(unsigned int flags)
{
    CUresult result = facet_vendor_load();
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuInit(flags);
    return result != CUDA_SUCCESS ? result : facet_slice_open();
}

CUresult facet_direct_refused(const char *name)
{
    facet_say("the call %s is not allowed in a slice: it would move memory that nobody counts", name);
    return CUDA_ERROR_NOT_PERMITTED;
}

CUresult facet_direct_waited(CUresult result)
{
    if (result == CUDA_SUCCESS) {
        facet_pools_settle();
        facet_time_waited();
    }
    return result;
}

/* What of the vendor's functions has a rule: sorted by their addresses. Where several symbols are one function, the one with a rule counts. */
struct known {
    uintptr_t vendors;
    void (*ours)(void); /* NULL: it passes */
};

static struct known *known;
static size_t known_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int by_address(const void *one, const void *other)
{
    const struct known *a = one, *b = other;
    if (a->vendors != b->vendors)
        return a->vendors < b->vendors ? -1 : 1;
    return (a->ours == NULL) - (b->ours == NULL);
}

static void learn(void)
{
    void **functions = (void **)&facet_vendor;
    known = calloc(facet_rule_count, sizeof *known);
    for (size_t i = 0; known != NULL && i < facet_rule_count; i++)
        if (facet_vendor_has(functions[i]))
            known[known_count++] = (struct known){.vendors = (uintptr_t)functions[i], .ours = facet_rules[i].function};
    if (known != NULL)
        qsort(known, known_count, sizeof *known, by_address);
}

static const struct known *find(uintptr_t vendors)
{
    size_t low = 0, high = known_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (known[middle].vendors < vendors)
            low = middle + 1;
        else
            high = middle;
    }
    return low < known_count && known[low].vendors == vendors ? &known[low] : NULL;
}

/* For a driver that does not give the functions that it exports: which call is meant follows from its name, as cuda.h has it. A call that has a
 * newer version than abi/tables knows has no rule. */
static const struct facet_rule *by_name(const char *symbol, int version, cuuint64_t flags)
{
    int driver = 0;
    const struct facet_rule *found = NULL;
    bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
    if (facet_unruled_newer(symbol) || facet_vendor.cuDriverGetVersion(&driver) != CUDA_SUCCESS)
        return NULL;
    for (int variant = 0; variant <= per_thread; variant++)
        for (size_t i = 0; i < facet_direct_proc_count; i++) {
            const struct facet_direct_proc *each = &facet_direct_procs[i];
            if (each->per_thread == variant && each->since <= version && each->since <= driver && strcmp(each->name, symbol) == 0 &&
                facet_vendor_has(((void **)&facet_vendor)[each->rule]))
                found = &facet_rules[each->rule];
        }
    return found;
}

/* What the program gets in place of a function that the vendor gave. */
static void *in_place_of(void *vendors, const char *symbol, int version, cuuint64_t flags)
{
    pthread_once(&once, learn);
    const struct known *found = find((uintptr_t)vendors);
    if (found != NULL)
        return found->ours != NULL ? (void *)(uintptr_t)found->ours : vendors;
    void *entry = facet_unruled_entry(vendors);
    if (entry != NULL)
        return entry;
    const struct facet_rule *rule = by_name(symbol, version, flags);
    return rule != NULL && rule->function != NULL ? (void *)(uintptr_t)rule->function : vendors;
}

CUresult facet_direct_cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    CUresult result = facet_vendor_load();
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuGetProcAddress(symbol, function, version, flags);
    if (result == CUDA_SUCCESS && *function != NULL && symbol != NULL)
        *function = in_place_of(*function, symbol, version, flags);
    return result;
}

CUresult facet_direct_cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
    CUresult result = facet_vendor_load();
    if (result == CUDA_SUCCESS)
        result = facet_vendor.cuGetProcAddress_v2(symbol, function, version, flags, status);
    if (result == CUDA_SUCCESS && *function != NULL && symbol != NULL)
        *function = in_place_of(*function, symbol, version, flags);
    return result;
}
