/* Has code rewritten by the daemon, so that launches of its kernels can come in parts. What comes of it is only loaded in the place of what the
 * program has: nothing of it is needed for the program to be right. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../libcuda/image.h"
#include "client.h"
#include "session.h"
#include "slice.h"
#include "twins.h"
#include "vendor.h"
#include "whole.h"
#include "work.h"

enum { TIMES = 8, LEAST_ROOM = 1 << 20, MOST_IMAGE = 16 << 20, MOST_ROOM = 128 << 20 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

enum facet_ranges facet_ranges(void)
{
    static _Atomic int known; /* + 1 */
    int now = atomic_load_explicit(&known, memory_order_relaxed);
    if (now == 0) {
        const char *word = getenv("FACET_RANGES");
        now = 1 + (word == NULL                  ? FACET_RANGES_USUAL
                   : strcmp(word, "off") == 0    ? FACET_RANGES_OFF
                   : strcmp(word, "always") == 0 ? FACET_RANGES_ALWAYS
                                                 : FACET_RANGES_USUAL);
        atomic_store_explicit(&known, now, memory_order_relaxed);
    }
    return (enum facet_ranges)(now - 1);
}

static bool is_wanted(void)
{
    return facet_session_alive() && facet_session.seats != NULL && facet_command_known(FACET_COMMAND_REWRITE_IMAGE);
}

/* 90 for 9.0; 0: nobody knows. */
static uint32_t capability(void)
{
    struct facet_where where;
    CUdevice device = facet_where(&where) == CUDA_SUCCESS ? where.vendor : facet_slice_devices() > 0 ? facet_slice_vendor_device(0) : -1;
    int major = 0, minor = 0;
    if (device < 0 || facet_vendor.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS ||
        facet_vendor.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) != CUDA_SUCCESS)
        return 0;
    return (uint32_t)(10 * major + minor);
}

/* ---- the answer: Rewriting.java draws it */

/* Ends the word that begins at *at, and goes behind it; NULL: there is none. */
static char *take_word(char **at, char end)
{
    char *word = *at, *found = strchr(word, end);
    if (found == NULL)
        return NULL;
    *found = '\0';
    *at = found + 1;
    return word;
}

static bool take_number(char **at, char end, uint32_t most, uint32_t *number)
{
    char *word = take_word(at, end), *rest;
    unsigned long value = word == NULL ? 0 : strtoul(word, &rest, 10);
    *number = (uint32_t)value;
    return word != NULL && rest != word && *rest == '\0' && value <= most;
}

static bool read_twin(char **at, struct facet_twin *twin)
{
    twin->kernel = take_word(at, ' ');
    twin->name = twin->kernel == NULL ? NULL : take_word(at, ' ');
    return twin->name != NULL && take_number(at, ' ', 1 << 16, &twin->parameters) && take_number(at, '\n', 1 << 16, &twin->offset);
}

/* Takes the answer over. */
static struct facet_code *read_answer(char *answer, const char **text)
{
    char *at = answer;
    uint32_t count;
    struct facet_code *code = calloc(1, sizeof *code);
    if (code == NULL || !take_number(&at, '\n', 1 << 20, &count) || (code->twins = calloc(count + 1u, sizeof *code->twins)) == NULL) {
        free(code);
        free(answer);
        return NULL;
    }
    code->text = answer;
    for (; code->count < count && read_twin(&at, &code->twins[code->count]); code->count++)
        code->twins[code->count].code = code;
    if (code->count < count || count == 0) {
        facet_twins_discard(code);
        return NULL;
    }
    *text = at;
    return code;
}

/* ---- the question */

static char *ask(void *room, size_t room_bytes, const struct facet_image *image, uint32_t of)
{
    uint64_t bytes = 0;
    memcpy(room, image->data, image->bytes);
    if (facet_wait_rewrite_image(0, image->bytes, of, &bytes) != CUDA_SUCCESS || bytes == 0 || bytes > room_bytes)
        return NULL;
    char *answer = malloc(bytes + 1);
    if (answer != NULL) {
        memcpy(answer, room, bytes);
        answer[bytes] = '\0';
    }
    return answer;
}

static char *ask_in_room(const struct facet_image *image, uint32_t of)
{
    size_t bytes = TIMES * image->bytes + LEAST_ROOM;
    bytes = bytes > MOST_ROOM ? MOST_ROOM : bytes;
    bool far;
    if (facet_wait_rewrite_room(0, bytes) != CUDA_SUCCESS)
        return NULL;
    int descriptor = facet_session_receive_memory(0, &far);
    void *room = descriptor < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor >= 0)
        close(descriptor);
    if (room == MAP_FAILED)
        return NULL;
    char *answer = ask(room, bytes, image, of);
    munmap(room, bytes);
    return answer;
}

static struct facet_code *as_it_is(enum facet_whole why)
{
    facet_whole_tell(why);
    return NULL;
}

struct facet_code *facet_rewrite(const void *image, const char **text)
{
    struct facet_image opened;
    uint32_t of;
    if (image == NULL || !is_wanted())
        return NULL;
    if (facet_ranges() == FACET_RANGES_OFF)
        return as_it_is(FACET_WHOLE_OFF);
    if (facet_image_kind(image) == FACET_IMAGE_CUBIN)
        return as_it_is(FACET_WHOLE_MACHINE_CODE);
    if ((of = capability()) == 0 || facet_image_open(image, 0, &opened) != FACET_IMAGE_FINE)
        return NULL; /* nothing that the driver could load, if it is what it seems */
    char *answer = NULL;
    if (opened.bytes > MOST_IMAGE) {
        facet_whole_tell(FACET_WHOLE_LARGE);
    } else {
        pthread_mutex_lock(&one_at_a_time);
        answer = ask_in_room(&opened, of);
        pthread_mutex_unlock(&one_at_a_time);
    }
    free(opened.owned);
    return answer == NULL ? NULL : read_answer(answer, text);
}
