/* What is launched whole although others may wait for it, and why: `facet ps --whole`. */
#ifndef FACET_DIRECT_WHOLE_H
#define FACET_DIRECT_WHOLE_H

enum facet_whole {
    /* code, each time that some is loaded */
    FACET_WHOLE_MACHINE_CODE,
    FACET_WHOLE_FILE,
    FACET_WHOLE_LARGE,
    FACET_WHOLE_REFUSED,
    FACET_WHOLE_OFF,
    /* a kernel, once for each */
    FACET_WHOLE_KERNEL,
    /* ways of launching, once for each process */
    FACET_WHOLE_GRAPHS,
    FACET_WHOLE_COOPERATIVE,
    FACET_WHOLE_ATTRIBUTES,
};

/* Tells the daemon, where time is shared; never waits for an answer. Any thread, without our locks. */
void facet_whole_tell(enum facet_whole what);

#endif
