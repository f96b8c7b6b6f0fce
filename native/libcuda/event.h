#ifndef FACET_EVENT_H
#define FACET_EVENT_H

#include "objects.h"

struct facet_event {
    struct facet_object object;
    unsigned flags;
    _Atomic bool recorded;
};

#endif
