/* Nothing is timed yet: work goes straight to the vendor's driver. */
#include "time.h"

#include "vendor.h"

CUresult facet_time_enter(struct facet_turn *turn, enum facet_work work, CUstream stream)
{
    turn->work = work;
    turn->stream = stream;
    turn->timed = false;
    return CUDA_SUCCESS;
}

CUresult facet_time_leave(struct facet_turn *turn, CUresult result)
{
    (void)turn;
    return result;
}

void facet_time_waited(void)
{
}

void facet_time_context_made(CUcontext context, int device)
{
    (void)context;
    (void)device;
}

void facet_time_context_ends(CUcontext context)
{
    (void)context;
}

void facet_time_stream_ends(CUstream stream)
{
    (void)stream;
}

void facet_time_start(void)
{
}

void facet_time_forked(void)
{
}
