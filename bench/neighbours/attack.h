/* attack KIND [PORT]: does what a slice should not, until it is killed. Plain CUDA and plain sockets, as any program has them. */
#ifndef FACET_ATTACK_H
#define FACET_ATTACK_H

#ifdef FACET_CUDA_HEADER
#include FACET_CUDA_HEADER
#else
#include <cuda.h>
#endif
#include <stdint.h>
#include <stdio.h>

void check(CUresult result, const char *what);

#define CHECK(call) check(call, #call)

/* Tells that it has begun. */
void under_way(void);

/* The device's primary context, current in this thread. */
void open_device(void);
CUfunction load(const char *ptx, const char *kernel);
void launch(CUfunction function, unsigned blocks, unsigned threads, CUstream stream, void **arguments);

/* A PTX text that is being written; it begins with the module's directives. */
FILE *begin_text(char **text);

/* Numbers that are the same each time. */
uint32_t next_number(void);

/* kernels.c */
void call_tree(void);
void endless(void);
void many_streams(void);
void long_strings(void);
void local_memory(void);
void many_launches(void);
void copies(void);

/* compiling.c */
void many_labels(void);
void many_kernels(void);
void many_modules(void);

/* memory.c */
void allocations(void);
void forks(void);

/* processes.c */
void processes_that_use(void);
void processes_that_begin(void);
void many_sessions(void);
void silent_connections(void);
void malformed_commands(void);

/* http.c: the daemon's port is to be known. */
extern int http_port;
void history_clients(void);
void half_requests(void);

#endif
