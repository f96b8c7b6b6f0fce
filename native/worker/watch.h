/* What stays outside: it waits for the program's end and the caller's, and passes on log lines. */
#ifndef FACET_CONFINE_WATCH_H
#define FACET_CONFINE_WATCH_H

#include <sys/types.h>

/* A descriptor that can be read when a process has ended. */
int watch_process(pid_t process);

/* Until the program or the caller ends. The kernel ends the program with this process.
 * The code to exit with. */
int watch(pid_t program, int caller, int log);

#endif
