/* References that the dynamic linker has already filled in when functions are replaced: in the program and the libraries it was started
 * with. */
#ifndef FACET_PRELOAD_REBIND_H
#define FACET_PRELOAD_REBIND_H

#include "exports.h"

/* From now on known: ours stands for theirs. */
void facet_rebind_note(facet_function theirs, facet_function ours);

/* Leads all references to them in the process to ours. Before any other code runs. */
void facet_rebind_all(void);

#endif
