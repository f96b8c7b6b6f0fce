/* One line on stderr for the one who has to do something. */
#ifndef FACET_PRELOAD_SAY_H
#define FACET_PRELOAD_SAY_H

void facet_preload_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
