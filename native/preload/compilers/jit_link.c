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
typedef int (*size_function)(void *handle, size_t *bytes);
typedef int (*data_function)(void *handle, void *data);

struct version {
    struct facet_export_hook hooks[FUNCTIONS];
};

struct input {
    struct input *next;
    int type;
    size_t bytes;
    char data[]; /* and a 0 */
};

struct link {
    struct link *next;
    const struct version *version;
    void *handle;
    struct input *inputs; /* the last one first */
    char **options;
    uint32_t option_count;
    bool incomplete; /* an input could not be kept */
};

static struct version versions[FACET_COMPILER_VERSIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct link *links;

/* A link is used by one thread at a time, as its handle is; the list by all. */
static struct link *link_of(const struct version *version, const void *handle)
{
    pthread_mutex_lock(&lock);
    struct link *found = links;
    while (found != NULL && (found->handle != handle || found->version != version))
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

static int create(const struct version *version, void **handle, uint32_t count, const char **options)
{
    int result = ((create_function)version->hooks[CREATE].theirs)(handle, count, options);
    struct link *link = result != 0 ? NULL : calloc(1, sizeof *link);
    if (link == NULL)
        return result;
    link->version = version;
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

static int destroy(const struct version *version, void **handle)
{
    struct link *gone = NULL;
    pthread_mutex_lock(&lock);
    for (struct link **place = &links; handle != NULL && *place != NULL; place = &(*place)->next) {
        if ((*place)->handle == *handle && (*place)->version == version) {
            gone = *place;
            *place = gone->next;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    if (gone != NULL)
        link_free(gone);
    return ((handle_function)version->hooks[DESTROY].theirs)(handle);
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

static int add_data(const struct version *version, void *handle, int type, const void *data, size_t bytes, const char *name)
{
    int result = ((add_data_function)version->hooks[ADD_DATA].theirs)(handle, type, data, bytes, name);
    struct link *link = result != 0 ? NULL : link_of(version, handle);
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

static int add_file(const struct version *version, void *handle, int type, const char *path)
{
    int result = ((add_file_function)version->hooks[ADD_FILE].theirs)(handle, type, path);
    struct link *link = result != 0 ? NULL : link_of(version, handle);
    if (link != NULL)
        keep_file(link, type, path);
    return result;
}

static bool is_intermediate(const struct input *input)
{
    return input->type == INPUT_INTERMEDIATE || (input->type != INPUT_PTX && facet_has_intermediate(input->data, input->bytes));
}

/* In the order in which they were added. */
static int add_intermediate(const struct version *version, void *handle, const struct input *input)
{
    if (input == NULL)
        return 0;
    int result = add_intermediate(version, handle, input->next);
    if (result != 0 || !is_intermediate(input))
        return result;
    return ((add_data_function)version->hooks[ADD_DATA].theirs)(handle, input->type, input->data, input->bytes, "input");
}

/* PTX of what the optimizer makes of its part of the inputs, with its 0; NULL: it does not. */
static char *optimized(struct link *link)
{
    const struct version *version = link->version;
    void *handle = NULL;
    size_t bytes = 0;
    char *ptx = NULL;
    link->options[link->option_count] = "-ptx";
    int result = ((create_function)version->hooks[CREATE].theirs)(&handle, link->option_count + 1, (const char **)link->options);
    link->options[link->option_count] = NULL;
    if (result != 0)
        return NULL;
    result = add_intermediate(version, handle, link->inputs);
    if (result == 0)
        result = ((complete_function)version->hooks[COMPLETE].theirs)(handle);
    if (result == 0)
        result = ((size_function)version->hooks[PTX_SIZE].theirs)(handle, &bytes);
    if (result == 0 && bytes > 0)
        ptx = calloc(1, bytes + 1);
    if (ptx != NULL && ((data_function)version->hooks[PTX].theirs)(handle, ptx) != 0) {
        free(ptx);
        ptx = NULL;
    }
    ((handle_function)version->hooks[DESTROY].theirs)(&handle);
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

static void *origin_of(struct link *link, size_t *bytes)
{
    struct facet_parts parts = {0};
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

static void *carried(const struct version *version, void *handle, size_t *bytes)
{
    struct link *link = link_of(version, handle);
    size_t cubin_bytes = 0;
    if (link == NULL || link->incomplete || ((size_function)version->hooks[CUBIN_SIZE].theirs)(handle, &cubin_bytes) != 0 || cubin_bytes == 0)
        return NULL;
    void *cubin = malloc(cubin_bytes);
    void *whole = NULL;
    if (cubin != NULL && ((data_function)version->hooks[CUBIN].theirs)(handle, cubin) == 0) {
        size_t origin_bytes = 0;
        void *origin = origin_of(link, &origin_bytes);
        if (origin != NULL)
            whole = facet_carry(cubin, cubin_bytes, origin, origin_bytes, bytes);
        free(origin);
    }
    free(cubin);
    return whole;
}

static int cubin_size(const struct version *version, void *handle, size_t *bytes)
{
    int result = ((size_function)version->hooks[CUBIN_SIZE].theirs)(handle, bytes);
    size_t more;
    void *whole = result != 0 ? NULL : carried(version, handle, &more);
    if (whole != NULL)
        *bytes = more;
    free(whole);
    return result;
}

static int cubin(const struct version *version, void *handle, void *data)
{
    size_t bytes;
    void *whole = data == NULL ? NULL : carried(version, handle, &bytes);
    if (whole == NULL)
        return ((data_function)version->hooks[CUBIN].theirs)(handle, data);
    memcpy(data, whole, bytes);
    free(whole);
    return 0;
}

/* A function does not know from which library it was taken, so each version has its own. */
#define VERSION(number)                                                                                    \
    static int create_##number(void **handle, uint32_t count, const char **options)                        \
    {                                                                                                      \
        return create(&versions[number], handle, count, options);                                          \
    }                                                                                                      \
    static int destroy_##number(void **handle)                                                             \
    {                                                                                                      \
        return destroy(&versions[number], handle);                                                         \
    }                                                                                                      \
    static int add_data_##number(void *handle, int type, const void *data, size_t bytes, const char *name) \
    {                                                                                                      \
        return add_data(&versions[number], handle, type, data, bytes, name);                               \
    }                                                                                                      \
    static int add_file_##number(void *handle, int type, const char *path)                                 \
    {                                                                                                      \
        return add_file(&versions[number], handle, type, path);                                            \
    }                                                                                                      \
    static int cubin_size_##number(void *handle, size_t *bytes)                                            \
    {                                                                                                      \
        return cubin_size(&versions[number], handle, bytes);                                               \
    }                                                                                                      \
    static int cubin_##number(void *handle, void *data)                                                    \
    {                                                                                                      \
        return cubin(&versions[number], handle, data);                                                     \
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
    static const struct version OURS[FACET_COMPILER_VERSIONS] = {{HOOKS(0)}, {HOOKS(1)}, {HOOKS(2)}, {HOOKS(3)}};
    if (used == FACET_COMPILER_VERSIONS)
        return;
    struct version version = OURS[used];
    if (facet_hook_exports(elf, difference, version.hooks, FUNCTIONS))
        versions[used++] = version;
}
