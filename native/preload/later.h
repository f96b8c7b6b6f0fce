#ifndef FACET_PRELOAD_LATER_H
#define FACET_PRELOAD_LATER_H

/* From now on, looks at objects that the program loads, before their constructors run. */
void facet_watch_loads(void);

#endif
