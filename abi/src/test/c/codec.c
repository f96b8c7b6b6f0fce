/* Sends commands of a vocabulary of the tests, beside CUDA's; the test reads the records from stdout. */
#include <stdio.h>
#include <stdlib.h>

#include "facet_codec_commands.h"
#include "facet_cuda_commands.h"

static _Alignas(8) unsigned char record[256];
static uint32_t length;
static uint64_t sequence;
static bool gone;

void *facet_command_begin(uint32_t context, uint16_t type, uint32_t bytes, bool waits)
{
    if (gone)
        return NULL;
    if (bytes > sizeof record || bytes % 8 != 0)
        exit(3);
    memset(record, 0, sizeof record);
    *(struct facet_record_header *)record =
        (struct facet_record_header){.length = bytes, .type = type, .slot = waits ? 7 : 0, .sequence = ++sequence, .context = context};
    length = bytes;
    return record;
}

void facet_command_post(void)
{
    if (fwrite(record, 1, length, stdout) != length)
        exit(4);
}

bool facet_command_wait(int32_t *result, uint64_t *payload)
{
    payload[0] = 640;
    payload[1] = 480;
    facet_command_post();
    *result = 17;
    return true;
}

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

static int check(bool holds, int code)
{
    return holds ? 0 : code;
}

int main(void)
{
    uint32_t width = 0;
    uint32_t height = 0;
    int failed = 0;
    codec_error opened = facet_wait_decoder_open(0, 3, &width, &height);
    failed |= check((int)opened == 17 && width == 640 && height == 480, 1);
    failed |= check(facet_post_decode(NULL, NULL, "abc", 3) == CODEC_FINE, 2);
    failed |= check(facet_post_decode(NULL, NULL, record, FACET_COMMAND_DATA_LIMIT + 1) == CODEC_TOO_MUCH, 4);
    failed |= check(facet_post_forget(0, 9) == CODEC_FINE, 8);
    gone = true;
    failed |= check(facet_post_forget(0, 9) == CODEC_GONE, 16);
    failed |= check(facet_post_free(0, 9) == CUDA_ERROR_DEVICE_UNAVAILABLE, 32);
    return failed;
}
