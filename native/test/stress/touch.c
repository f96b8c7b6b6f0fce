#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../libcuda/context.h"
#include "../../libcuda/touch.h"
#include "stress.h"

/* A part of a context's memory for each thread. Cells are pages apart, so that a move takes its time. */
enum { CELLS = 16, CELL_BYTES = 4096, THREAD_BYTES = CELLS * CELL_BYTES };

struct stress_cells {
    uint32_t thread;
    uint64_t counted[STRESS_CONTEXTS][CELLS];
};

static struct facet_context contexts[STRESS_CONTEXTS];
static char *memory[STRESS_CONTEXTS];

void stress_map_memory(void)
{
    size_t bytes = (size_t)stress.threads * THREAD_BYTES;
    for (uint32_t i = 0; i < STRESS_CONTEXTS; i++) {
        contexts[i].object.id = i;
        bool far;
        int descriptor = facet_session_receive_memory(i, &far);
        void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (descriptor < 0 || place == MAP_FAILED)
            stress_fail("context %u has no memory", i);
        close(descriptor);
        memory[i] = place;
    }
}

struct stress_cells *stress_cells_of(uint32_t thread)
{
    struct stress_cells *cells = calloc(1, sizeof *cells);
    if (cells == NULL)
        stress_fail("there is no memory");
    cells->thread = thread;
    return cells;
}

static volatile uint64_t *cell(const struct stress_cells *cells, uint32_t context, uint32_t index)
{
    return (volatile uint64_t *)(void *)(memory[context] + (size_t)cells->thread * THREAD_BYTES + (size_t)index * CELL_BYTES);
}

/* Both contexts, in either order, or one. */
static void begin(struct facet_touch *touch, uint64_t draw)
{
    *touch = (struct facet_touch){.first = &contexts[draw & 1], .second = draw & 2 ? &contexts[~draw & 1] : NULL};
    CUresult result = facet_touch_begin(touch);
    if (result != CUDA_SUCCESS)
        stress_fail("memory does not come back: %d", (int)result);
}

void stress_touch(struct stress_cells *cells, uint64_t draw)
{
    struct facet_touch touch;
    begin(&touch, draw);
    for (uint32_t i = 0; i < 1 + (draw >> 2) % 4; i++) {
        uint32_t index = (draw >> (8 + 4 * i)) % CELLS;
        uint32_t context = touch.second != NULL ? i % STRESS_CONTEXTS : touch.first->object.id;
        *cell(cells, context, index) += 1;
        cells->counted[context][index]++;
    }
    facet_touch_end(&touch);
}

void stress_check_cells(struct stress_cells *cells)
{
    struct facet_touch touch;
    begin(&touch, 2);
    for (uint32_t context = 0; context < STRESS_CONTEXTS; context++)
        for (uint32_t i = 0; i < CELLS; i++)
            if (*cell(cells, context, i) != cells->counted[context][i])
                stress_fail("thread %u counted %llu in cell %u of context %u, there is %llu", cells->thread,
                            (unsigned long long)cells->counted[context][i], i, context, (unsigned long long)*cell(cells, context, i));
    facet_touch_end(&touch);
}
