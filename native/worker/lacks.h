/* Pieces of the confinement that the system refused. */
#ifndef FACET_CONFINE_LACKS_H
#define FACET_CONFINE_LACKS_H

/* Notes a piece that is missing, and says so in one line with the reason that errno has. */
void lacks_add(const char *piece, const char *why);

/* Their names with commas between them; empty when all is there. */
const char *lacks_list(void);

/* Says what cannot be and ends this process. */
_Noreturn void confine_fail(const char *what, const char *detail);

#endif
