/* Calls of CUDA are no places where a thread may be cancelled: one that ended there would keep our locks and reply slots. So
 * cancelling waits while we call what is such a place: poll, write, connect. */
#ifndef FACET_CANCEL_H
#define FACET_CANCEL_H

#include <pthread.h>

static inline int facet_cancel_later(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void facet_cancel_as(int before)
{
    pthread_setcancelstate(before, &before);
}

#endif
