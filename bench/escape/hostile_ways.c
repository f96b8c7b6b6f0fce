/* A client that speaks the protocol itself, and not as it should. It has a session of its own beside the one of
 * libcuda: the files of native/common are in this program once more. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "escape.h"
#include "session.h"

#define MIB ((uint64_t)1 << 20)
#define PLACE UINT64_C(0x650000000000)
#define ROOM (UINT64_C(1) << 40)
enum { PIECE = 4 << 20, STRIDE = 256, RANGES = 4096, MARK = 0, CHECK = 1 };

/* One context and its legacy stream, and nobody counts what is under way. */
uint32_t facet_context_id(const struct facet_context *context)
{
    (void)context;
    return 0;
}

uint32_t facet_stream_id(const struct facet_stream *stream)
{
    (void)stream;
    return 0;
}

void facet_command_post_in(struct facet_context *context, struct facet_stream *stream)
{
    (void)context;
    (void)stream;
    facet_command_post();
}

/* The context's memory; of it [base, base + own) is the host's. */
static uint64_t base, own, whole;
/* Where the client's part begins: image, answer and a counter lie there. */
static uint64_t desk;
static uint32_t functions[2];
static struct {
    uint64_t address, bytes, first;
} ranges[RANGES];
static int range_count;
static uint64_t next, limit;

/* Its own context, with the kernels. */
static void begin(void)
{
    MUST(facet_session_open(NULL));
    void *place = mmap((void *)PLACE, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        must(-1, "no addresses");
    base = (uint64_t)(uintptr_t)place;
    MUST(facet_wait_context_create(0, 0, 0, base, &own, &whole));
    desk = base + own;
    bool far;
    int memory = facet_session_receive_memory(0, &far);
    if (memory < 0 || mmap(place, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) == MAP_FAILED)
        must(-1, "no memory of the context");
    MUST(facet_post_allocate(0, desk, MIB, FACET_MEMORY_STAGING));
    MUST(facet_post_allocate(0, desk + MIB, 4096, FACET_MEMORY_PINNED));
    char *image = (char *)(uintptr_t)desk, *answer = image + MIB / 2;
    uint64_t bytes = strlen(kernels) + 1, got_bytes;
    memcpy(image, kernels, bytes);
    MUST(facet_wait_module_load(0, desk, bytes, desk + MIB / 2, MIB / 2, 0, 0, &got_bytes));
    struct facet_module_answer *head = (void *)answer;
    struct facet_function_record *records = (void *)(head + 1);
    const char *names = (char *)(records + head->function_count) + head->parameter_count * sizeof(struct facet_parameter_record) +
                        head->variable_count * sizeof(struct facet_variable_record);
    for (uint32_t i = 0; i < head->function_count; i++) {
        if (strcmp(names + records[i].name, "mark") == 0)
            functions[MARK] = i;
        if (strcmp(names + records[i].name, "check") == 0)
            functions[CHECK] = i;
    }
    next = ((uint64_t)getpid() << 32) + 1;
    limit = facet_session.ledger->limit;
}

static void run(int function, int range)
{
    uint64_t count = ranges[range].bytes / STRIDE;
    uint64_t arguments[] = {ranges[range].address, count, ranges[range].first, desk + MIB};
    facet_post_launch(NULL, NULL, 0, functions[function], (uint32_t)((count + 127) / 128), 1, 1, 128, 1, 1, 0, 0, arguments,
                      function == MARK ? 24 : 32);
}

static size_t kept(void)
{
    volatile unsigned *good = (unsigned *)(uintptr_t)(desk + MIB);
    *good = 0;
    for (int i = 0; i < range_count; i++)
        run(CHECK, i);
    return facet_wait_context_synchronize(0) == CUDA_SUCCESS ? (size_t)*good * STRIDE : 0;
}

static int enter(uint64_t address, uint64_t bytes)
{
    ranges[range_count].address = address;
    ranges[range_count].bytes = bytes;
    ranges[range_count].first = next;
    next += bytes / STRIDE;
    other_held += bytes;
    other_kept = kept;
    return range_count++;
}

static int marked_by_kernel(uint64_t address, uint64_t bytes)
{
    run(MARK, enter(address, bytes));
    return facet_wait_context_synchronize(0);
}

static int refused(void)
{
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Where the next piece goes: behind what lies at the start. */
static uint64_t piece(void)
{
    return desk + 16 * MIB + other_held;
}

static int pieces(size_t want, int (*one)(void))
{
    begin();
    while (other_held < want)
        if (one() != CUDA_SUCCESS)
            return refused();
    /* Who has too much is ended within seconds, not at once. */
    for (int i = 0; i < 30 && facet_session_look() && (want > limit || getenv("ESCAPE_CROWD") != NULL); i++)
        usleep(100000);
    return facet_session_look() ? CUDA_SUCCESS : refused();
}

static int allocated(uint32_t kind)
{
    uint64_t address = piece();
    int result = facet_post_allocate(0, address, PIECE, kind);
    return result == CUDA_SUCCESS ? marked_by_kernel(address, PIECE) : result;
}

static int one_unclaimed(void)
{
    return allocated(FACET_MEMORY_DEVICE);
}

static int unclaimed(size_t want)
{
    return pieces(want, one_unclaimed);
}

/* Kinds that do not count, used as if they were device memory: the machine's own, within bounds. */
static int one_pinned(void)
{
    return allocated(FACET_MEMORY_PINNED);
}

static int pinned(size_t want)
{
    return pieces(want, one_pinned);
}

static int one_staging(void)
{
    return allocated(FACET_MEMORY_STAGING);
}

static int staging(size_t want)
{
    return pieces(want, one_staging);
}

/* ---- the page that all sessions of the slice share */

static int one_raised(void)
{
    __atomic_store_n(&facet_session.ledger->limit, UINT64_C(1) << 50, __ATOMIC_SEQ_CST);
    return facet_ledger_claim(0, 0, PIECE, 0) == CUDA_SUCCESS ? one_unclaimed() : (int)CUDA_ERROR_OUT_OF_MEMORY;
}

static int raised(size_t want)
{
    return pieces(want, one_raised);
}

/* Each of several stays below the limit, and says what it has: none of them is more to blame than another. */
static int together(size_t want)
{
    return pieces(want / 2, one_raised);
}

static int one_zeroed(void)
{
    for (uint32_t i = 0; i < facet_session.slots; i++)
        __atomic_store_n(&facet_session.claimed[i], 0, __ATOMIC_SEQ_CST);
    return facet_ledger_claim(0, 0, PIECE, 0) == CUDA_SUCCESS ? one_unclaimed() : (int)CUDA_ERROR_OUT_OF_MEMORY;
}

static int zeroed(size_t want)
{
    return pieces(want, one_zeroed);
}

static int one_negative(void)
{
    __atomic_store_n(&facet_session.claimed[facet_session.slot], UINT64_C(0) - (UINT64_C(1) << 40), __ATOMIC_SEQ_CST);
    facet_wait_claim(0, PIECE);
    return one_unclaimed();
}

static int negative(size_t want)
{
    return pieces(want, one_negative);
}

/* Claims of others that are full keep everybody out, but let nobody have more. */
static int one_full(void)
{
    for (uint32_t i = 0; i < facet_session.slots; i++)
        __atomic_store_n(&facet_session.claimed[i], UINT64_MAX / 2, __ATOMIC_SEQ_CST);
    facet_wait_claim(0, PIECE);
    return one_unclaimed();
}

static int full(size_t want)
{
    int result = pieces(want, one_full);
    for (uint32_t i = 0; i < facet_session.slots; i++)
        __atomic_store_n(&facet_session.claimed[i], 0, __ATOMIC_SEQ_CST);
    return result;
}

/* ---- memory that nobody allocated */

static int one_by_client(void)
{
    uint64_t address = piece();
    int range = enter(address, PIECE);
    for (uint64_t i = 0; i < PIECE / STRIDE; i++)
        ((uint64_t *)(uintptr_t)address)[i * STRIDE / 8] = ranges[range].first + i;
    return CUDA_SUCCESS;
}

static int by_client(size_t want)
{
    return pieces(want, one_by_client);
}

static int one_by_kernel(void)
{
    return marked_by_kernel(piece(), PIECE);
}

static int by_kernel(size_t want)
{
    return pieces(want, one_by_kernel);
}

/* Filled and copied by the host's commands, then looked at by a kernel. */
static int one_by_copy(void)
{
    uint64_t address = piece();
    if (other_held == 0) {
        facet_wait_claim(0, PIECE);
        int result = one_unclaimed();
        return result;
    }
    facet_post_fill(NULL, address, PIECE, PIECE / 4, 1, 7, 4, NULL);
    facet_post_copy(NULL, address, ranges[0].address, PIECE, NULL);
    int range = enter(address, PIECE);
    ranges[range].first = ranges[0].first;
    return facet_wait_context_synchronize(0);
}

static int by_copy(size_t want)
{
    return pieces(want, one_by_copy);
}

/* The host's own part, for variables and the heap. */
static int one_of_host(void)
{
    return marked_by_kernel(base + other_held, PIECE);
}

static int of_host(size_t want)
{
    return pieces(want, one_of_host);
}

/* Freed, and used as before. */
static int one_freed(void)
{
    uint64_t address = piece();
    if (facet_ledger_claim(0, 0, PIECE, 0) != CUDA_SUCCESS)
        return CUDA_ERROR_OUT_OF_MEMORY;
    int result = one_unclaimed();
    if (result == CUDA_SUCCESS)
        result = facet_post_free(0, address);
    facet_ledger_release(0, PIECE);
    return result;
}

static int freed(size_t want)
{
    return pieces(want, one_freed);
}

/* ---- sessions */

static int connections(size_t want)
{
    static struct facet_session more[1100];
    int open = 0;
    if (freopen("/dev/null", "w", stderr) == NULL) /* the library says why it was refused */
        must(-1, "/dev/null");
    while (open < 1100 && facet_session_connect(&more[open]) == CUDA_SUCCESS)
        open++;
    int result = take_pieces(want, 4 * MIB, take_plain);
    for (int i = 0; i < open; i++)
        close(more[i].connection);
    return result;
}

/* ---- commands that aim beyond the memory of their context */

/* A session that breaks the protocol is ended, so each try has its own program. */
static bool copies_at(int64_t distance, bool from)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) /* the library says why its session has ended */
            _exit(2);
        begin();
        uint64_t there = piece(), far = there + (uint64_t)distance;
        MUST(facet_ledger_claim(0, 0, 2 * PIECE, 0));
        MUST(facet_post_allocate(0, there, PIECE, FACET_MEMORY_DEVICE));
        MUST(facet_post_allocate(0, there + PIECE, PIECE, FACET_MEMORY_DEVICE));
        if (from)
            facet_post_copy(NULL, there, far, STRIDE, NULL);
        else
            facet_post_fill(NULL, far, STRIDE, STRIDE, 1, 7, 1, NULL);
        _exit(facet_wait_context_synchronize(0) == CUDA_SUCCESS ? 0 : 1);
    }
    int status = -1;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
        must(-1, "a program that was to copy");
    return WEXITSTATUS(status) == 0;
}

static int copies(size_t want)
{
    /* The last two: where a neighbour is, when a context has addresses for 24 or 32 GiB, and guards of 32 GiB around it. */
    static const int64_t distances[] = {INT64_C(1) << 36,
                                        INT64_C(1) << 40,
                                        INT64_C(1) << 47,
                                        INT64_C(1) << 62,
                                        INT64_MAX - 255,
                                        (INT64_C(88) << 30) + 4 * (int64_t)MIB,
                                        (INT64_C(96) << 30) + 4 * (int64_t)MIB};
    if (want > 0) {
        other_held = (size_t)copies_at(PIECE, true) + (size_t)copies_at(PIECE, false);
        return other_held == 2 ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
    }
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            other_held += (size_t)copies_at(sign * distances[i], true) + (size_t)copies_at(sign * distances[i], false);
    return CUDA_SUCCESS;
}

const struct way hostile_ways[] = {
    {.name = "hostile-unclaimed", .kind = HOSTILE, .take = unclaimed, .calls = ""},
    {.name = "hostile-pinned", .kind = HOST, .take = pinned, .calls = ""},
    {.name = "hostile-staging", .kind = HOST, .take = staging, .calls = ""},
    {.name = "hostile-raised-limit", .kind = HOSTILE, .take = raised, .calls = ""},
    {.name = "hostile-together", .kind = HOSTILE, .take = together, .calls = ""},
    {.name = "hostile-zeroed-claims", .kind = HOSTILE, .take = zeroed, .calls = ""},
    {.name = "hostile-negative-claim", .kind = HOSTILE, .take = negative, .calls = ""},
    {.name = "hostile-full-claims", .kind = HOSTILE, .take = full, .calls = ""},
    {.name = "hostile-touch", .kind = TRESPASS, .take = by_client, .calls = ""},
    {.name = "hostile-kernel-touch", .kind = TRESPASS, .take = by_kernel, .calls = ""},
    {.name = "hostile-copy-touch", .kind = TRESPASS, .take = by_copy, .calls = ""},
    {.name = "hostile-host-part", .kind = TRESPASS, .take = of_host, .calls = ""},
    {.name = "hostile-use-after-free", .kind = TRESPASS, .take = freed, .calls = ""},
    {.name = "across-copies", .kind = ACROSS, .take = copies, .late = true, .calls = ""},
    {.name = "hostile-1100-sessions", .kind = MEMORY, .take = connections, .calls = ""},
    {.name = NULL},
};
