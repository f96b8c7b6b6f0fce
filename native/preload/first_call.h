/* What happens when a redirected function is called for the first time. */
#ifndef FACET_FIRST_CALL_H
#define FACET_FIRST_CALL_H

#include "static_runtime.h"

struct facet_entry {
    void (*target)(void); /* first: code jumps through it */
    const char *name;
    enum facet_static_runtime version;
};

/* Not to be called: finds the entry in r11, asks facet_first_call_target, and goes there with all arguments. */
void facet_first_call(void);

#endif
