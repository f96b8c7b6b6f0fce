/* Which driver this is. The vendor's nvidia-smi ends when the library is not of its own version, whatever that is, so it is told
 * the version that stands in its own file. All other programs are told the one whose API this is. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "management.h"

/* Tools compare these with the version of CUDA that they need: 580 is the driver of CUDA 13.0. */
#define DRIVER_VERSION "580.0.0"

enum { VERSION_TEXT = 16, NEW_MAJOR = 580 };

static char driver[VERSION_TEXT] = DRIVER_VERSION;

static const char *digits(const char *at, const char *end, int least, int most)
{
    int count = 0;
    while (at < end && isdigit((unsigned char)*at) && count <= most) {
        at++;
        count++;
    }
    return count >= least && count <= most ? at : NULL;
}

/* The end of a version such as 550.163.01 that begins here and fills a string; NULL: none does. */
static const char *version_end(const char *at, const char *end)
{
    at = digits(at, end, 3, 3);
    if (at == NULL || at == end || *at != '.')
        return NULL;
    at = digits(at + 1, end, 2, 3);
    if (at != NULL && at < end && *at == '.')
        at = digits(at + 1, end, 2, 2);
    return at != NULL && at < end && *at == '\0' ? at : NULL;
}

static void find_version(const char *bytes, size_t size)
{
    const char *end = bytes + size;
    for (const char *at = bytes; at < end; at++) {
        at = memchr(at, '\0', (size_t)(end - at));
        if (at == NULL)
            return;
        const char *start = at + 1;
        const char *stop = start < end ? version_end(start, end) : NULL;
        if (stop != NULL && stop - start < VERSION_TEXT) {
            memcpy(driver, start, (size_t)(stop - start) + 1);
            return;
        }
    }
}

static void look(void)
{
    static const char tool[] = "nvidia-smi";
    if (strncmp(program_invocation_short_name, tool, sizeof tool - 1) != 0)
        return;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            find_version(bytes, (size_t)status.st_size);
            munmap(bytes, (size_t)status.st_size);
        }
    }
    close(file);
}

static const char *version(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return driver;
}

nvmlReturn_t facet_nvmlSystemGetDriverVersion(char *text, unsigned int length)
{
    nvmlReturn_t ready = facet_nvml_ready();
    return ready == NVML_SUCCESS ? facet_nvml_text(version(), text, length) : ready;
}

/* NVML's own begins with that of CUDA's headers. */
nvmlReturn_t facet_nvmlSystemGetNVMLVersion(char *text, unsigned int length)
{
    char whole[VERSION_TEXT + 4];
    int major = 0;
    sscanf(version(), "%d", &major);
    snprintf(whole, sizeof whole, "%d.%s", major >= NEW_MAJOR ? 13 : 12, version());
    nvmlReturn_t ready = facet_nvml_ready();
    return ready == NVML_SUCCESS ? facet_nvml_text(whole, text, length) : ready;
}
