#include "whole.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "client.h"
#include "session.h"

static const struct {
    const char *text;
    bool once;
} reasons[] = {
    [FACET_WHOLE_MACHINE_CODE] = {"(code) machine code, without PTX", false},
    [FACET_WHOLE_FILE] = {"(code) a file that the driver loads by its name", false},
    [FACET_WHOLE_LARGE] = {"(code) too large", false},
    [FACET_WHOLE_REFUSED] = {"(code) the driver takes it only as it is", false},
    [FACET_WHOLE_OFF] = {"(code) FACET_RANGES is off", false},
    [FACET_WHOLE_KERNEL] = {"(kernel) the driver launches it only as it is", false},
    [FACET_WHOLE_GRAPHS] = {"(launches) graphs", true},
    [FACET_WHOLE_COOPERATIVE] = {"(launches) cooperative", true},
    [FACET_WHOLE_ATTRIBUTES] = {"(launches) with clusters or other attributes of a whole launch", true},
};

enum { REASONS = sizeof reasons / sizeof *reasons };

void facet_whole_tell(enum facet_whole what)
{
    static _Atomic bool told[REASONS];
    if (reasons[what].once && atomic_load_explicit(&told[what], memory_order_relaxed))
        return;
    if (facet_session_check() != CUDA_SUCCESS || facet_session.seats == NULL || !facet_command_known(FACET_COMMAND_WHOLE))
        return;
    if (atomic_exchange(&told[what], true) && reasons[what].once)
        return;
    facet_post_whole(0, 1, reasons[what].text, (uint32_t)strlen(reasons[what].text));
}
