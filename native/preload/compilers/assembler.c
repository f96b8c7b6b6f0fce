/* ptxas, which nvcc runs for every real architecture: a program of its own, and this library is in it. When it has
 * done its work, the machine code it wrote is given the PTX it read. Not where it was asked for code that is linked later: the
 * vendor's linker makes other machine code of that. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compilers.h"

enum { MOST_BYTES = 1 << 30 };

struct task {
    const char *input;
    const char *output;
    bool linked_later;
    bool several;
};

static bool is_assembler;
static struct timespec started;

/* A whole file with a 0 behind it; NULL: not possible. */
static char *read_all(const char *path, size_t *bytes)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    char *data = NULL;
    /* Files of /proc have no size. */
    size_t room = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < MOST_BYTES
                      ? (size_t)status.st_size + 65536
                      : 0;
    *bytes = 0;
    if (room != 0)
        data = malloc(room + 1);
    while (data != NULL && *bytes < room) {
        ssize_t got = read(descriptor, data + *bytes, room - *bytes);
        if (got <= 0)
            break;
        *bytes += (size_t)got;
    }
    if (descriptor >= 0)
        close(descriptor);
    if (data != NULL)
        data[*bytes] = '\0';
    return data;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static bool is_one_of(const char *word, const char *brief, const char *full)
{
    return strcmp(word, brief) == 0 || strcmp(word, full) == 0;
}

static struct task read_words(const char *words, size_t bytes)
{
    struct task task = {0};
    for (const char *word = words; word < words + bytes; word += strlen(word) + 1) {
        const char *next = word + strlen(word) + 1;
        if (is_one_of(word, "-o", "--output-file") && next < words + bytes)
            task.output = word = next;
        else if (is_one_of(word, "-c", "--compile-only"))
            task.linked_later = true;
        else if (word[0] != '-' && ends_with(word, ".ptx")) {
            task.several = task.input != NULL;
            task.input = word;
        }
    }
    return task;
}

/* An error leaves no output, or that of another time. */
static bool is_new(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    return status.st_mtim.tv_sec > started.tv_sec || (status.st_mtim.tv_sec == started.tv_sec && status.st_mtim.tv_nsec >= started.tv_nsec);
}

static void write_all(const char *path, const char *data, size_t bytes)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    size_t done = 0;
    while (descriptor >= 0 && done < bytes) {
        ssize_t written = pwrite(descriptor, data + done, bytes - done, (off_t)done);
        if (written <= 0)
            break;
        done += (size_t)written;
    }
    if (descriptor >= 0)
        close(descriptor);
}

static void carry(const struct task *task)
{
    size_t cubin_bytes;
    size_t ptx_bytes;
    size_t whole_bytes;
    char *cubin = read_all(task->output, &cubin_bytes);
    char *ptx = read_all(task->input, &ptx_bytes);
    void *whole = cubin == NULL || ptx == NULL ? NULL : facet_carry(cubin, cubin_bytes, ptx, ptx_bytes + 1, &whole_bytes);
    if (whole != NULL)
        write_all(task->output, whole, whole_bytes);
    free(cubin);
    free(ptx);
    free(whole);
}

void facet_assembler_started(const char *program)
{
    is_assembler = program != NULL && (strcmp(program, "ptxas") == 0 || ends_with(program, "/ptxas"));
    if (is_assembler)
        clock_gettime(CLOCK_REALTIME_COARSE, &started);
}

__attribute__((destructor)) static void ended(void)
{
    size_t bytes;
    char *words = is_assembler ? read_all("/proc/self/cmdline", &bytes) : NULL;
    if (words == NULL)
        return;
    struct task task = read_words(words, bytes);
    if (task.input != NULL && task.output != NULL && !task.linked_later && !task.several && is_new(task.output))
        carry(&task);
    free(words);
}
