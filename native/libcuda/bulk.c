/* Copies of many megabytes.
 *
 * memcpy goes through memory in one stream and is a third slower when its two sides are not aligned alike, as those
 * of malloc and of a device are not. Four pages at a time keep several streams of the memory under way; that is
 * faster than memcpy in any case. */
#include "bulk.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>

enum { PAGE = 4096, STREAMS = 4, LINE = 64, WORTH = 2 << 20 };

static void copy_line(char *to, const char *from)
{
    __m128i words[LINE / 16];
    for (int i = 0; i < LINE / 16; i++)
        words[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + 16 * i));
    for (int i = 0; i < LINE / 16; i++)
        _mm_stream_si128((__m128i *)(void *)(to + 16 * i), words[i]);
}

void facet_bulk_copy(void *to, const void *from, size_t bytes)
{
    uintptr_t distance = (uintptr_t)to - (uintptr_t)from;
    if (bytes < WORTH || distance < bytes || -distance < bytes) {
        memmove(to, from, bytes);
        return;
    }
    char *target = to;
    const char *source = from;
    size_t head = -(uintptr_t)target % LINE;
    memcpy(target, source, head);
    target += head;
    source += head;
    bytes -= head;
    for (; bytes >= STREAMS * PAGE; bytes -= STREAMS * PAGE, target += STREAMS * PAGE, source += STREAMS * PAGE)
        for (size_t line = 0; line < PAGE; line += LINE)
            for (size_t stream = 0; stream < STREAMS; stream++)
                copy_line(target + stream * PAGE + line, source + stream * PAGE + line);
    _mm_sfence();
    memcpy(target, source, bytes);
}
#else
void facet_bulk_copy(void *to, const void *from, size_t bytes)
{
    memmove(to, from, bytes);
}
#endif
