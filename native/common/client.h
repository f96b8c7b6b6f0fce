/* What the CUDA libraries of the client are written with.
 *
 * A handle (CUcontext, CUstream, CUevent, CUmodule, CUfunction, ...) is the address of an entry in a
 * table of its kind, so that a wrong one is recognised without following it. Ids on the wire are the
 * indices of the entries.
 *
 * Locks, in this order: primary contexts, a pool's, a context's, the command ring's. The last two are
 * never held while waiting for a reply.
 */
#ifndef FACET_CLIENT_H
#define FACET_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facet_commands.h" /* generated: commands, records and the functions that send them */
#include "facet_cuda.h"     /* generated: types and prototypes of the driver API */

/* ---- session.c: the connection to the daemon */

/* Which of the slice's devices the program sees, in which order: fills in their numbers and returns how many. */
typedef int facet_choose_devices(const struct facet_device_record *devices, int count, int *order);
/* Connects once for the process; cuInit does it. Without choose it sees all devices. Returns CUDA_SUCCESS, or why there is no device. In
 * a child that was forked after its parent had connected: CUDA_ERROR_NOT_INITIALIZED. */
CUresult facet_session_open(facet_choose_devices *choose);
/* CUDA_SUCCESS while the session is open, CUDA_ERROR_NOT_INITIALIZED before cuInit and in a forked
 * child, CUDA_ERROR_DEVICE_UNAVAILABLE when the daemon is gone. Every API call that needs the device
 * starts with it, directly or through facet_context_current. Costs a load. */
CUresult facet_session_check(void);
bool facet_session_alive(void);
/* Looks whether the daemon is still there; when it is not the session is gone. Costs a system call. */
bool facet_session_look(void);
int facet_device_count(void);
const struct facet_device_record *facet_device(int ordinal); /* NULL: no such device */
int facet_device_number(int ordinal); /* of a device that is there: its number among the slice's */
/* Receives the descriptor that the host sent for this context; -1 when the daemon is gone. */
int facet_session_receive_memory(uint32_t context);
volatile struct facet_context_status *facet_context_status(uint32_t context);
/* The ring of due host functions, its data behind it; NULL before the session is open. */
struct facet_ring_control *facet_callback_ring(void);
/* Bytes of a device that the slice has: its limit, which may change while programs run, and what all of its
 * sessions have taken. */
uint64_t facet_ledger_limit(int device);
void facet_ledger_read(int device, uint64_t *limit, uint64_t *taken);
/* Takes bytes of the slice, asking the daemon when the ledger looks full, or when with what was freed and the system does
 * not have back yet there would be too much: then it waits for that. returning: what the caller knows of such memory. */
CUresult facet_ledger_claim(int device, uint32_t context, uint64_t bytes, uint64_t returning);
void facet_ledger_release(int device, uint64_t bytes);
/* A session of the slice by its slot. */
struct facet_ledger_program {
    uint32_t process;  /* as that numbers itself; 0: nobody's */
    uint32_t contexts; /* on the device */
    uint64_t bytes;    /* of the device that it has taken */
    uint64_t time;     /* when it last was busy, in microseconds since 1970; 0: never */
    unsigned percent;  /* of what the slice may use, at that time */
};
/* False when there is no such slot. */
bool facet_ledger_slot(int device, uint32_t slot, struct facet_ledger_program *program);
/* This session has one context more, or less. */
void facet_ledger_context(int device, int more);
/* Device time of the slice in nanoseconds, plus 1; 0 when it is not measured. */
uint64_t facet_ledger_busy(void);

/* ---- command.c: the ring. The generated facet_post_* and facet_wait_* are made of these three. */

/* Whether the daemon knows a command: a program's libraries may be newer. */
bool facet_command_known(uint16_t type);
/* Room for a record, with its header filled in; the ring's lock is held until post or wait.
 * NULL when the daemon is gone. */
void *facet_command_begin(uint32_t context, uint16_t type, uint32_t bytes, bool waits);
CUresult facet_command_post(void);
/* Instead of post: nothing is sent. Not for commands that wait. */
void facet_command_cancel(void);
/* payload: at least 6 words, or NULL. After it the text that kernels printed has been written. */
CUresult facet_command_wait(uint64_t *payload);
/* Writes what kernels printed so far to stdout. */
void facet_output_flush(void);

/* ---- objects.c: tables of handles */

enum facet_kind {
    FACET_CONTEXT = 1,
    FACET_STREAM,
    FACET_EVENT,
    FACET_MODULE,
    FACET_FUNCTION,
    FACET_LIBRARY,
    FACET_LINK,
    FACET_POOL,
    FACET_KERNEL,
    FACET_ARRAY,
    FACET_KINDS
};

struct facet_context;

/* First member of every object. */
struct facet_object {
    _Atomic uint32_t kind; /* 0: the entry is free */
    uint32_t id;
    struct facet_context *context;
};

/* A zeroed entry, or NULL when the table is full. */
void *facet_object_create(enum facet_kind kind, struct facet_context *context);
void facet_object_destroy(void *object);
/* The object, or NULL when the handle is not a living one of this kind. */
void *facet_object(const void *handle, enum facet_kind kind);
/* Calls visit for every living object of a kind that belongs to the context (NULL: to any). */
void facet_object_each(enum facet_kind kind, struct facet_context *context, void (*visit)(void *object, void *data), void *data);

struct facet_arena; /* arena.c: best-fit allocator over the addresses of a context */

struct facet_context {
    struct facet_object object;
    int device;
    unsigned flags;
    uint64_t base;  /* device addresses are [base, base + bytes), mapped here at the same place */
    uint64_t own;   /* of which [base, base + own) is the host's, and the rest ours to give out */
    uint64_t bytes;
    int memory;        /* descriptor of the memory */
    _Atomic uint64_t unique; /* cuCtxGetId; another one after each end of the context */
    _Atomic bool live; /* false for a primary context that nobody holds */
    bool primary;
    _Atomic int references; /* of the primary context */
    _Atomic int attached;   /* by cuCtxAttach, not counting who made it */
    pthread_mutex_t lock;
    struct facet_arena *allocations;
    uint64_t trim_from; /* freed memory with pages is looked through when there is more of it */
    _Atomic uint64_t posted;  /* asynchronous stream commands sent */
    _Atomic uint64_t settled; /* how many of them were waited for */
    _Atomic uint64_t waits_begun; /* for the whole context, numbered */
    _Atomic uint64_t waits_ended; /* what was in the ring before that one began has ended */
    struct facet_staged *staged;  /* memory that commands under way read from */
    uint64_t staged_bytes;
    uint64_t limits[16];      /* by CUlimit */
    int cache_config;
    int shared_config;
    _Atomic uint64_t peers[FACET_CONTEXTS]; /* by context: the unique number of one whose memory kernels may access */
};

struct facet_stream {
    struct facet_object object; /* the entry with id 0 is never given out: it is the legacy stream */
    unsigned flags;
    int priority;
    _Atomic uint64_t posted; /* of the context, at the last command to this stream */
    _Atomic uint64_t waited; /* the same number, when the stream was last waited for */
    uint64_t unique;         /* cuStreamGetId */
    int synchronization_policy;
};

struct facet_event {
    struct facet_object object;
    unsigned flags;
    _Atomic bool recorded;
};

struct facet_module {
    struct facet_object object;
    void *answer; /* copy of ModuleAnswer */
    const struct facet_function_record *functions;
    const struct facet_parameter_record *parameters;
    const struct facet_variable_record *variables;
    const char *names;
    const char *log;
    uint32_t function_count;
    uint32_t variable_count;
    struct facet_function **handles; /* by function; made when asked for */
    uint32_t *function_order;        /* indices in the order of the names */
    uint32_t *variable_order;
    void *owner;                     /* the library it was loaded for, or NULL */
};

struct facet_function {
    struct facet_object object;
    struct facet_module *module;
    uint32_t index;
    const struct facet_function_record *record;
    const struct facet_parameter_record *parameters; /* of this function */
    int max_dynamic_shared;
    int preferred_carveout;
    int cache_config;
    struct facet_kernel *kernel; /* that it was asked for through, or NULL */
};

/* Code without a context: its module is loaded in a context when it is first needed there. */
struct facet_library {
    struct facet_object object;
    const void *image;
    size_t bytes;
    void *copy; /* the image, when it is not the program's own */
    struct facet_module *modules[FACET_CONTEXTS]; /* by id of the context */
    struct facet_kernel **kernels;                /* by function; made when asked for */
    uint32_t kernel_count;
    int borrowed; /* device whose primary context is held for it, plus 1 */
};

/* A function without a context. */
struct facet_kernel {
    struct facet_object object;
    struct facet_library *library;
    uint32_t index;
    char *name;
    struct facet_function *_Atomic functions[FACET_CONTEXTS]; /* by id of the context */
    int max_dynamic_shared; /* -1: not set */
    int preferred_carveout;
    int cache_config;
};

/* Rows of elements in slices. Textures and surfaces do not exist: it is memory that copies reach by row and slice. */
struct facet_array {
    struct facet_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* as the program gave it */
    uint64_t address;
    uint64_t width; /* bytes of a row */
    uint64_t rows;  /* of a slice */
    uint64_t slices;
    uint64_t pitch; /* from row to row, also over the end of a slice */
};

struct facet_link_input;
struct facet_jit;

struct facet_link {
    struct facet_object object;
    struct facet_link_input *inputs; /* in reverse order */
    void *image;                     /* after cuLinkComplete */
    struct facet_jit *jit;           /* where its logs go */
};

/* ---- context.c */

/* The calling thread's current context in *context. CUDA_ERROR_INVALID_CONTEXT when there is none,
 * its fault when it has one, an error of the session when the daemon is gone. */
CUresult facet_context_current(struct facet_context **context);
/* Same, without looking at the fault: for calls that must work on a broken context. */
struct facet_context *facet_context_peek(void);
/* The fault of a context, or CUDA_SUCCESS. */
CUresult facet_context_fault(const struct facet_context *context);
/* Waits for everything of the context; afterwards posted == settled. */
CUresult facet_context_settle(struct facet_context *context);
/* Waits if anything is under way. Not for calls that must report what went wrong in streams. */
CUresult facet_context_rest(struct facet_context *context);
/* Whether nothing asynchronous is under way, as far as known here without asking. */
bool facet_context_idle(const struct facet_context *context);
/* Called after a wait that ended all that was posted up to this number. Non-blocking streams are not
 * ended by a wait for the legacy stream. */
void facet_context_settled(struct facet_context *context, uint64_t posted);
/* The context whose addresses include this one, or NULL. */
struct facet_context *facet_context_of_address(uint64_t address);

/* ---- forget.c */

/* Called by whoever destroys a context, before its own entry goes: frees its streams, events,
 * modules, functions and host functions here. Sends nothing. */
void facet_context_forget(struct facet_context *context);

/* ---- stream.c */

/* Finds the context and the stream of a handle: NULL and CU_STREAM_LEGACY are stream 0 of the current
 * context, or the thread's own one when per_thread; CU_STREAM_PER_THREAD is always that. *stream is NULL for
 * the legacy stream. */
CUresult facet_stream_resolve(CUstream handle, bool per_thread, struct facet_context **context, struct facet_stream **stream);
/* Waits for the work of one stream. */
CUresult facet_stream_wait(struct facet_context *context, struct facet_stream *stream);

/* ---- memory.c */

/* Memory of a kind (FACET_MEMORY_*), its address chosen here; counted where the kind says so. */
CUresult facet_memory_take(struct facet_context *context, uint64_t bytes, uint32_t kind, uint64_t *address);
CUresult facet_memory_give(struct facet_context *context, uint64_t address);
/* Whether memory of a kind counts against the slice. */
static inline bool facet_memory_counts(uint32_t kind)
{
    return kind == FACET_MEMORY_DEVICE || kind == FACET_MEMORY_MANAGED;
}

/* What the program said about managed memory. Nothing moves here: it is kept to be asked for. */
struct facet_advice {
    bool read_mostly;
    CUmemLocation preferred;
    CUmemLocation prefetched;
    uint64_t accessed_by; /* bit 0: the host, bit 1 + n: device n */
};

struct facet_allocation {
    uint64_t address; /* where it starts */
    uint64_t bytes;   /* as the program asked; 0 while it waits in a pool to be used again */
    uint64_t extent;  /* what it takes of the slice */
    uint32_t kind;
    uint32_t flags; /* as the program gave them */
    struct facet_context *context;
    struct facet_pool *pool; /* that it came from, or NULL */
    void *host;     /* for registered memory: where the program sees it */
    uint64_t buffer; /* CU_POINTER_ATTRIBUTE_BUFFER_ID */
    bool synchronous; /* CU_POINTER_ATTRIBUTE_SYNC_MEMOPS; kept for the program */
    struct facet_advice advice;
};

/* The allocation that includes an address (device address, or host address of registered memory). */
bool facet_memory_find(uint64_t address, struct facet_allocation *found);

/* ---- module.c */

CUresult facet_module_load(struct facet_context *context, const void *image, size_t bytes, struct facet_module **module);
/* Bytes of an image that has no size of its own: PTX text, fat binary, wrapper, cubin; 0 when it is none. */
size_t facet_image_bytes(const void *image);
struct facet_function *facet_module_function(struct facet_module *module, const char *name);
const struct facet_variable_record *facet_module_variable(const struct facet_module *module, const char *name);

/* ---- errors */

/* Counts and logs a call that is not supported; returns CUDA_ERROR_NOT_SUPPORTED. */
CUresult facet_unsupported(const char *name);
/* One line on stderr, "facet: ..."; the same text only once. */
void facet_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
