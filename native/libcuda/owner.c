#include "owner.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "client.h"

enum { MOST_FRAMES = 64, MOST_LIBRARIES = 32 };

/* A place in a library; the program itself has no name. */
struct place {
    const void *library;
    const char *function; /* that others may call, or NULL */
    const char *path;
    uintptr_t difference;
};

static bool place_of(const void *address, struct place *place)
{
    Dl_info information;
    struct link_map *map = NULL;
    if (address == NULL || dladdr1(address, &information, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL)
        return false;
    *place = (struct place){information.dli_fbase, information.dli_sname, map->l_name, map->l_addr};
    return true;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool facet_owner_of(const void *address, char name[FACET_OWNER_BYTES])
{
    struct place place;
    if (!place_of(address, &place) || place.path[0] == '\0')
        return false;
    snprintf(name, FACET_OWNER_BYTES, "%s", file_name(place.path));
    return true;
}

/* libcublas.so.13 and libcublasLt.so.13: one begins as the other does, up to the dot. */
static bool are_related(const char *path, const char *other)
{
    const char *name = file_name(path);
    const char *other_name = file_name(other);
    size_t length = strcspn(name, ".");
    size_t other_length = strcspn(other_name, ".");
    return strncmp(name, other_name, length < other_length ? length : other_length) == 0;
}

/* True for the first time. Nobody has more libraries; if so, the rest is not told. */
static bool is_new(const void *library)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const void *told[MOST_LIBRARIES];
    static unsigned count;
    pthread_mutex_lock(&lock);
    bool new = count < MOST_LIBRARIES;
    for (unsigned i = 0; i < count; i++)
        new = new && told[i] != library;
    if (new)
        told[count++] = library;
    pthread_mutex_unlock(&lock);
    return new;
}

/* From the inside out: the frames of this library, then of the one that asks, then of whoever called that. Return addresses are
 * behind the call, which may be the last instruction of a function. */
static bool find_call(struct place *found)
{
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES);
    struct place own;
    bool inside = false;
    if (!place_of((const void *)(uintptr_t)find_call, &own))
        return false;
    for (int i = 0; i < count; i++) {
        struct place place;
        bool known = place_of((const char *)frames[i] - 1, &place);
        if (!inside && known && place.library == own.library)
            continue;
        if (!known || place.path[0] == '\0' || (inside && !are_related(place.path, found->path)))
            break;
        if (!inside || place.function != NULL)
            *found = place;
        inside = true;
    }
    return inside;
}

/* Compilers ask for tables too, and do without. */
static bool is_compiler(const char *path)
{
    static const char *const names[] = {"libnvJitLink.", "libnvrtc.", "libnvvm."};
    bool compiler = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        compiler |= strncmp(file_name(path), names[i], strlen(names[i])) == 0;
    return compiler;
}

/* A library whose runtime is ours already may have a compiler inside. */
static bool is_replaced(uintptr_t difference)
{
    bool (*replaced)(uintptr_t difference);
    *(void **)&replaced = dlsym(RTLD_DEFAULT, "facet_preload_has_replaced");
    return replaced != NULL && replaced(difference);
}

void facet_owner_of_runtime_tell(void)
{
    struct place call;
    /* The preload library tells it of a program when it starts. */
    if (!find_call(&call) || is_compiler(call.path) || is_replaced(call.difference) || !is_new(call.library))
        return;
    char name[256];
    snprintf(name, sizeof name, "%s%s%s", file_name(call.path), call.function != NULL ? ": " : "", call.function != NULL ? call.function : "");
    facet_count_unsupported(name);
    facet_say_unsupported("%s cannot run on this device: the library brings its own CUDA runtime, stripped, and machine code of real GPUs", name);
}
