/* Device time of a program that uses the vendor's driver in its own process.
 *
 * Every call that gives work to the device goes through here: launches of all forms, graphs, copies, fills, prefetches. The entry
 * points that native/direct exports are made of
 *
 *     struct facet_turn turn;
 *     result = facet_time_enter(&turn, FACET_WORK_LAUNCH, stream);
 *     if (result != CUDA_SUCCESS)
 *         return result;
 *     result = facet_vendor.cuLaunchKernel(...);
 *     return facet_time_leave(&turn, result);
 *
 * What is written here keeps to three rules. It may call the vendor through facet_vendor (vendor.h) alone, never an exported function of
 * ours. It sends nothing to the daemon in enter and leave but where it must wait. It is called from any thread, and never with one of
 * our locks held. */
#ifndef FACET_DIRECT_TIME_H
#define FACET_DIRECT_TIME_H

#include <stdbool.h>

#include "facet_cuda.h"
#include "pace.h"

enum facet_work {
    FACET_WORK_LAUNCH, /* a kernel, in whatever form */
    FACET_WORK_GRAPH,  /* cuGraphLaunch: any number of kernels and copies */
    FACET_WORK_COPY,   /* copies, fills and prefetches, also those that wait for their end */
};

/* Between enter and leave; on the caller's stack. */
struct facet_turn {
    enum facet_work work;
    CUstream stream; /* as the call names it: see below */
    bool timed;      /* false: leave has nothing to do */
    bool stuck;      /* of enter_alone: what is ahead in the stream has not ended for seconds */
    void *batch;     /* whatever the implementation likes */
};

/* Before the call. Waits while the slice has no lease. CUDA_SUCCESS: go on, and call leave in any case. Else the answer for the
 * program, which was told why.
 *
 * stream: NULL is the legacy default stream, CU_STREAM_PER_THREAD that of the thread; calls without a stream come with one of these. The current
 * context of the thread is the one that the work is for. A stream of another context is possible where the vendor takes it. */
CUresult facet_time_enter(struct facet_turn *turn, enum facet_work work, CUstream stream);

/* The same for blocks of a kernel that are measured by themselves: what they took is told to pace, which lasts until it is forgotten. */
CUresult facet_time_enter_alone(struct facet_turn *turn, CUstream stream, struct facet_pace *pace, uint64_t blocks);
/* Waits until something of what was given to the stream has ended, or seconds are over: false. */
bool facet_time_await(CUstream stream);
void facet_time_forget(const struct facet_pace *pace);
/* Whether others use the device of the thread's context, or did of late. */
bool facet_time_in_company(void);

/* Behind it, with what it answered; the result is what the program gets. */
CUresult facet_time_leave(struct facet_turn *turn, CUresult result);

/* Whether what is given to the stream now is captured in a graph instead of being executed. Nothing is timed then, and no event may be
 * recorded. Costs a load while no stream of the process captures. */
bool facet_time_captured(CUstream stream);

/* The program has waited for a stream, an event or a context, and everything before it has ended: a moment to take stock of batches. */
void facet_time_waited(void);

/* A context has been made, or is about to be destroyed or reset, with all events and streams in it. device: of the slice, as
 * facet_device numbers them. */
void facet_time_context_made(CUcontext context, int device);
void facet_time_context_ends(CUcontext context);
/* A stream is about to be destroyed; what it has been given still runs. */
void facet_time_stream_ends(CUstream stream);

/* Once, when the session is open; and in a child after fork, which has no session and no context. */
void facet_time_start(void);
void facet_time_forked(void);

#endif
