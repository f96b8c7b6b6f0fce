/* Ranges of device memory with marks in them. */
#include <pthread.h>
#include <unistd.h>

#include "escape.h"

enum { BLOCK = 128, PLACES = 512 };
#define STRIDE 256

/* In the executable itself: the program is found by its path alone. */
__asm__(".section .rodata\n.global kernels\nkernels:\n.incbin \"" ESCAPE_DIRECTORY "/kernels.ptx\"\n.byte 0\n.previous\n");

/* A context, and what is needed in it to look at its memory. None of that is device memory. */
struct place {
    struct driver *driver;
    CUcontext context;
    CUmodule module;
    CUfunction mark, check;
    unsigned *good; /* host memory that kernels see */
};

struct range {
    struct place *place;
    CUdeviceptr address;
    size_t bytes;
    uint64_t first;
    void (*give)(CUdeviceptr);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place places[PLACES];
static size_t place_count;
static struct range *ranges;
static size_t range_count, range_room;
static uint64_t next_mark;
size_t other_held;
size_t (*other_kept)(void);
void (*other_give)(void);

void must(int result, const char *what)
{
    if (result != 0) {
        printf("failed %d %s\n", result, what);
        fflush(stdout);
        _exit(1);
    }
}

static struct place *here(void)
{
    CUcontext context;
    MUST(driver->get_current(&context));
    for (size_t i = 0; i < place_count; i++)
        if (places[i].driver == driver && places[i].context == context)
            return &places[i];
    if (place_count == PLACES)
        must(-1, "too many contexts");
    struct place *place = &places[place_count++];
    place->driver = driver;
    place->context = context;
    MUST(driver->module_load(&place->module, kernels));
    MUST(driver->module_function(&place->mark, place->module, "mark"));
    MUST(driver->module_function(&place->check, place->module, "check"));
    MUST(driver->host_allocate((void **)&place->good, sizeof *place->good, CU_MEMHOSTALLOC_DEVICEMAP));
    return place;
}

CUfunction kernel(const char *name)
{
    CUfunction function;
    pthread_mutex_lock(&lock);
    struct place *place = here();
    pthread_mutex_unlock(&lock);
    MUST(driver->module_function(&function, place->module, name));
    return function;
}

static void launch(CUfunction function, const struct range *range, unsigned *good)
{
    uint64_t base = range->address, count = (range->bytes + STRIDE - 1) / STRIDE, first = range->first;
    MUST(driver->launch(function, (unsigned)((count + BLOCK - 1) / BLOCK), 1, 1, BLOCK, 1, 1, 0, NULL, (void *[]){&base, &count, &first, &good},
                        NULL));
}

void got_by(CUdeviceptr address, size_t bytes, void (*give)(CUdeviceptr))
{
    pthread_mutex_lock(&lock);
    if (next_mark == 0)
        next_mark = ((uint64_t)getpid() << 32) + 1;
    if (range_count == range_room) {
        range_room = range_room == 0 ? 256 : 2 * range_room;
        ranges = realloc(ranges, range_room * sizeof *ranges);
    }
    struct range *range = &ranges[range_count++];
    *range = (struct range){.place = here(), .address = address, .bytes = bytes, .first = next_mark, .give = give};
    next_mark += (bytes + STRIDE - 1) / STRIDE;
    launch(range->place->mark, range, NULL);
    pthread_mutex_unlock(&lock);
}

static void give_plain(CUdeviceptr address)
{
    MUST(driver->give(address));
}

void got(CUdeviceptr address, size_t bytes)
{
    got_by(address, bytes, give_plain);
}

static void enter(const struct place *place)
{
    driver = place->driver;
    MUST(driver->set_current(place->context));
}

size_t held_bytes(void)
{
    size_t sum = other_held;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < range_count; i++)
        sum += ranges[i].bytes;
    pthread_mutex_unlock(&lock);
    return sum;
}

size_t kept_bytes(void)
{
    size_t sum = other_kept == NULL ? 0 : other_kept();
    for (size_t p = 0; p < place_count; p++) {
        struct place *place = &places[p];
        bool any = false;
        for (size_t i = 0; i < range_count; i++) {
            if (ranges[i].place != place)
                continue;
            if (!any) {
                enter(place);
                MUST(driver->context_synchronize());
                *place->good = 0;
                any = true;
            }
            launch(place->check, &ranges[i], place->good);
        }
        if (any) {
            MUST(driver->context_synchronize());
            sum += (size_t)*place->good * STRIDE;
        }
    }
    return sum;
}

void give_back(void)
{
    for (size_t i = 0; i < range_count; i++) {
        enter(ranges[i].place);
        if (ranges[i].give != NULL)
            ranges[i].give(ranges[i].address);
    }
    range_count = 0;
    if (other_give != NULL)
        other_give();
}

void forget_all(void)
{
    range_count = 0;
    place_count = 0;
}

int take_pieces(size_t want, size_t piece, int (*one)(size_t bytes))
{
    int refused = CUDA_SUCCESS, tries = 0;
    while (held_bytes() < want) {
        int result = one(piece);
        if (result == CUDA_SUCCESS) {
            tries = 0;
            continue;
        }
        refused = result;
        if (result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
        if (piece > (size_t)64 << 10)
            piece /= 2;
        else if (tries++ == 20) /* others may just have taken back what they could not use */
            return refused;
        else
            usleep(1000);
    }
    return held_bytes() < want ? refused : CUDA_SUCCESS;
}

int take_plain(size_t bytes)
{
    CUdeviceptr address;
    CUresult result = driver->allocate(&address, bytes);
    if (result == CUDA_SUCCESS)
        got(address, bytes);
    return result;
}
