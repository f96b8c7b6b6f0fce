/* /etc/ld.so.preload: what the dynamic linker loads into every program, whatever its environment. */
#ifndef FACET_HOOK_PRELOAD_H
#define FACET_HOOK_PRELOAD_H

#include "text.h"

/* What the image has in it, and the library behind that. False: the image has it already. */
bool preload_merge(const char *image, const char *library, struct facet_text *merged);

#endif
