/* nvJitLink, the linker for device code as a library. Inputs are remembered beside it; what it has linked carries them. Code for
 * its optimizer it is asked to link once more, to PTX. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compilers.h"
#include "exports.h"
#include "origin.h"

enum { CREATE, DESTROY, ADD_DATA, ADD_FILE, COMPLETE, CUBIN_SIZE, CUBIN, PTX_SIZE, PTX, FUNCTIONS };
enum { INPUT_PTX = 2, INPUT_INTERMEDIATE = 3 }; /* nvJitLinkInputType */

typedef int (*create_function)(void **handle, uint32_t count, const char **options);
typedef int (*handle_function)(void **handle);
typedef int (*add_data_function)(void *handle, int type, const void *data, size_t bytes, const char *name);
typedef int (*add_file_function)(void *handle, int type, const char *path);
typedef int (*complete_function)(void *handle);

struct input {
    struct input *next;
    int type;
    size_t bytes;
    char data[]; /* and a 0 */
};

struct link {
    struct link *next;
    const struct facet_export_hook *hooks; /* of its version */
    void *handle;
    struct input *inputs; /* the last one first */
    char **options;
    uint32_t option_count;
    bool incomplete; /* an input could not be kept */
};

static struct facet_export_hook versions[FACET_COMPILER_VERSIONS][FUNCTIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct link *links;

/* A link is used by one thread at a time, as its handle is; the list by all. */
static struct link *link_of(const struct facet_export_hook *hooks, const void *handle)
{
    pthread_mutex_lock(&lock);
    struct link *found = links;
    while (found != NULL && (found->handle != handle || found->hooks != hooks))
        found = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

static void link_free(struct link *link)
{
    while (link->inputs != NULL) {
        struct input *input = link->inputs;
        link->inputs = input->next;
        free(input);
    }
    for (uint32_t i = 0; link->options != NULL && i < link->option_count; i++)
        free(link->options[i]);
    free(link->options);
    free(link);
}

static int create(const struct facet_export_hook *hooks, void **handle, uint32_t count, const char **options)
{
    int result = ((create_function)hooks[CREATE].theirs)(handle, count, options);
    struct link *link = result != 0 ? NULL : calloc(1, sizeof *link);
    if (link == NULL)
        return result;
    link->hooks = hooks;
    link->handle = *handle;
    link->option_count = count;
    link->options = calloc(count + 1u, sizeof *link->options);
    for (uint32_t i = 0; link->options != NULL && i < count; i++) {
        link->options[i] = strdup(options[i]);
        link->incomplete |= link->options[i] == NULL;
    }
    link->incomplete |= link->options == NULL;
    pthread_mutex_lock(&lock);
    link->next = links;
    links = link;
    pthread_mutex_unlock(&lock);
    return result;
}

static int destroy(const struct facet_export_hook *hooks, void **handle)
{
    struct link *gone = NULL;
    pthread_mutex_lock(&lock);
    for (struct link **place = &links; handle != NULL && *place != NULL; place = &(*place)->next) {
        if ((*place)->handle == *handle && (*place)->hooks == hooks) {
            gone = *place;
            *place = gone->next;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    if (gone != NULL)
        link_free(gone);
    return ((handle_function)hooks[DESTROY].theirs)(handle);
}

static struct input *new_input(struct link *link, int type, size_t bytes)
{
    struct input *input = bytes > SIZE_MAX / 2 ? NULL : malloc(sizeof *input + bytes + 1);
    if (input == NULL) {
        link->incomplete = true;
        return NULL;
    }
    *input = (struct input){.next = link->inputs, .type = type, .bytes = bytes};
    input->data[bytes] = '\0';
    link->inputs = input;
    return input;
}

static int add_data(const struct facet_export_hook *hooks, void *handle, int type, const void *data, size_t bytes, const char *name)
{
    int result = ((add_data_function)hooks[ADD_DATA].theirs)(handle, type, data, bytes, name);
    struct link *link = result != 0 ? NULL : link_of(hooks, handle);
    struct input *input = link == NULL ? NULL : new_input(link, type, bytes);
    if (input != NULL)
        memcpy(input->data, data, bytes);
    return result;
}

static void keep_file(struct link *link, int type, const char *path)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool regular = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    struct input *input = regular ? new_input(link, type, (size_t)status.st_size) : NULL;
    size_t done = 0;
    while (input != NULL && done < input->bytes) {
        ssize_t got = read(descriptor, input->data + done, input->bytes - done);
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    link->incomplete |= input == NULL || done < input->bytes;
    if (descriptor >= 0)
        close(descriptor);
}

static int add_file(const struct facet_export_hook *hooks, void *handle, int type, const char *path)
{
    int result = ((add_file_function)hooks[ADD_FILE].theirs)(handle, type, path);
    struct link *link = result != 0 ? NULL : link_of(hooks, handle);
    if (link != NULL)
        keep_file(link, type, path);
    return result;
}

static bool is_intermediate(const struct input *input)
{
    return input->type == INPUT_INTERMEDIATE || (input->type != INPUT_PTX && facet_has_intermediate(input->data, input->bytes));
}

/* In the order in which they were added. */
static int add_intermediate(const struct facet_export_hook *hooks, void *handle, const struct input *input)
{
    if (input == NULL)
        return 0;
    int result = add_intermediate(hooks, handle, input->next);
    if (result != 0 || !is_intermediate(input))
        return result;
    return ((add_data_function)hooks[ADD_DATA].theirs)(handle, input->type, input->data, input->bytes, "input");
}

/* PTX of what the optimizer makes of its part of the inputs, with its 0; NULL: it does not. */
static char *optimized(struct link *link)
{
    const struct facet_export_hook *hooks = link->hooks;
    void *handle = NULL;
    size_t bytes = 0;
    char *ptx = NULL;
    link->options[link->option_count] = "-ptx";
    int result = ((create_function)hooks[CREATE].theirs)(&handle, link->option_count + 1, (const char **)link->options);
    link->options[link->option_count] = NULL;
    if (result != 0)
        return NULL;
    result = add_intermediate(hooks, handle, link->inputs);
    if (result == 0)
        result = ((complete_function)hooks[COMPLETE].theirs)(handle);
    if (result == 0)
        ptx = facet_compiled(&hooks[PTX_SIZE], handle, &bytes);
    ((handle_function)hooks[DESTROY].theirs)(&handle);
    return ptx;
}

static void gather(struct facet_parts *parts, const struct input *input, bool *intermediate)
{
    if (input == NULL)
        return;
    gather(parts, input->next, intermediate);
    if (is_intermediate(input))
        *intermediate = true;
    else
        facet_parts_add(parts, input->data, facet_image_kind(input->data) == FACET_IMAGE_PTX ? input->bytes + 1 : input->bytes);
}

/* The only option that changes what is said of machine code that is not run. */
static uint32_t registers_of(const struct link *link)
{
    static const char name[] = "-maxrregcount=";
    unsigned long found = 0;
    for (uint32_t i = 0; i < link->option_count; i++)
        if (strncmp(link->options[i], name, sizeof name - 1) == 0)
            found = strtoul(link->options[i] + sizeof name - 1, NULL, 10);
    return found > UINT32_MAX ? 0 : (uint32_t)found;
}

static void *origin_of(struct link *link, size_t *bytes)
{
    struct facet_parts parts = {.registers = registers_of(link)};
    bool intermediate = false;
    char *ptx = NULL;
    void *origin = NULL;
    gather(&parts, link->inputs, &intermediate);
    if (intermediate)
        ptx = optimized(link);
    if (ptx != NULL)
        facet_parts_add(&parts, ptx, strlen(ptx) + 1);
    if (!intermediate || ptx != NULL)
        origin = facet_parts_image(&parts, bytes);
    facet_parts_free(&parts);
    free(ptx);
    return origin;
}

static void *carried(const struct facet_export_hook *hooks, void *handle, size_t *bytes)
{
    struct link *link = link_of(hooks, handle);
    size_t cubin_bytes;
    size_t origin_bytes = 0;
    if (link == NULL || link->incomplete)
        return NULL;
    void *cubin = facet_compiled(&hooks[CUBIN_SIZE], handle, &cubin_bytes);
    void *origin = cubin == NULL ? NULL : origin_of(link, &origin_bytes);
    void *whole = origin == NULL ? NULL : facet_carry(cubin, cubin_bytes, origin, origin_bytes, bytes);
    free(cubin);
    free(origin);
    return whole;
}

/* A function does not know from which library it was taken, so each version has its own. */
#define VERSION(number)                                                                                    \
    static int create_##number(void **handle, uint32_t count, const char **options)                        \
    {                                                                                                      \
        return create(versions[number], handle, count, options);                                           \
    }                                                                                                      \
    static int destroy_##number(void **handle)                                                             \
    {                                                                                                      \
        return destroy(versions[number], handle);                                                          \
    }                                                                                                      \
    static int add_data_##number(void *handle, int type, const void *data, size_t bytes, const char *name) \
    {                                                                                                      \
        return add_data(versions[number], handle, type, data, bytes, name);                                \
    }                                                                                                      \
    static int add_file_##number(void *handle, int type, const char *path)                                 \
    {                                                                                                      \
        return add_file(versions[number], handle, type, path);                                             \
    }                                                                                                      \
    static int cubin_size_##number(void *handle, size_t *bytes)                                            \
    {                                                                                                      \
        return facet_carried_size(versions[number], CUBIN_SIZE, carried, handle, bytes);                   \
    }                                                                                                      \
    static int cubin_##number(void *handle, void *data)                                                    \
    {                                                                                                      \
        return facet_carried_data(versions[number], CUBIN, carried, handle, data);                         \
    }
VERSION(0)
VERSION(1)
VERSION(2)
VERSION(3)

#define HOOKS(number)                                                                              \
    {                                                                                              \
        [CREATE] = {"nvJitLinkCreate", (facet_function)create_##number, NULL},                     \
        [DESTROY] = {"nvJitLinkDestroy", (facet_function)destroy_##number, NULL},                  \
        [ADD_DATA] = {"nvJitLinkAddData", (facet_function)add_data_##number, NULL},                \
        [ADD_FILE] = {"nvJitLinkAddFile", (facet_function)add_file_##number, NULL},                \
        [COMPLETE] = {"nvJitLinkComplete", NULL, NULL},                                            \
        [CUBIN_SIZE] = {"nvJitLinkGetLinkedCubinSize", (facet_function)cubin_size_##number, NULL}, \
        [CUBIN] = {"nvJitLinkGetLinkedCubin", (facet_function)cubin_##number, NULL},               \
        [PTX_SIZE] = {"nvJitLinkGetLinkedPtxSize", NULL, NULL},                                    \
        [PTX] = {"nvJitLinkGetLinkedPtx", NULL, NULL},                                             \
    }

void facet_jit_link_loaded(const struct facet_elf *elf, uintptr_t difference)
{
    static unsigned used; /* the dynamic linker's lock is held */
    static const struct facet_export_hook OURS[FACET_COMPILER_VERSIONS][FUNCTIONS] = {HOOKS(0), HOOKS(1), HOOKS(2), HOOKS(3)};
    if (used == FACET_COMPILER_VERSIONS)
        return;
    memcpy(versions[used], OURS[used], sizeof OURS[used]);
    if (facet_hook_exports(elf, difference, versions[used], FUNCTIONS))
        used++;
}
