/* Sends some commands with the generated functions; the test reads the records from stdout. */
#include <stdio.h>
#include <stdlib.h>

#include "facet_cuda_commands.h"

static _Alignas(8) unsigned char record[4096];
static uint32_t length;
static uint64_t sequence;

void *facet_command_begin(uint32_t context, uint16_t type, uint32_t bytes, bool waits)
{
    struct facet_record_header *header = (struct facet_record_header *)record;
    if (bytes > sizeof record || bytes % 8 != 0)
        exit(3);
    memset(record, 0xee, sizeof record); /* nothing may depend on what was there */
    *header = (struct facet_record_header){.length = bytes, .type = type, .slot = waits ? 7 : 0, .sequence = ++sequence, .context = context};
    length = bytes;
    return record;
}

void facet_command_post(void)
{
    if (fwrite(record, 1, length, stdout) != length)
        exit(4);
}

struct facet_context {
    uint32_t id;
};

struct facet_stream {
    uint32_t id;
    unsigned counted;
};

uint32_t facet_context_id(const struct facet_context *context)
{
    return context->id;
}

uint32_t facet_stream_id(const struct facet_stream *stream)
{
    return stream == NULL ? 0 : stream->id;
}

void facet_command_post_in(struct facet_context *context, struct facet_stream *stream)
{
    if (context != NULL && stream != NULL)
        stream->counted++;
    facet_command_post();
}

static bool gone;

bool facet_command_wait(int32_t *result, uint64_t *payload)
{
    for (unsigned i = 0; payload != NULL && i < 6; i++)
        payload[i] = 1000 + i;
    facet_command_post();
    *result = CUDA_ERROR_NOT_READY;
    return !gone;
}

static int check(bool holds, int code)
{
    return holds ? 0 : code;
}

int main(void)
{
    uint64_t arena = 0;
    uint64_t bytes = 0;
    int failed = 0;
    struct facet_context context = {3};
    struct facet_stream stream = {11, 0};
    failed |= check(facet_wait_context_create(3, 1, 2, UINT64_C(0x7f0000000000), &arena, &bytes) == CUDA_ERROR_NOT_READY, 1);
    failed |= check(arena == 1000 && bytes == 1001, 2);
    failed |= check(facet_wait_context_limit(3, 4, UINT64_C(0x100000005)) == CUDA_ERROR_NOT_READY, 4);
    failed |= check(facet_post_copy_box(&context, 1, 2, 3, 4, 5, 6, 7, 8, 9, NULL) == CUDA_SUCCESS, 8);
    failed |= check(facet_post_write(&context, UINT64_C(0x123456789a), &stream, "hello", 5) == CUDA_SUCCESS, 16);
    failed |= check(facet_post_write(&context, 1, &stream, NULL, 0) == CUDA_SUCCESS, 16);
    failed |= check(facet_post_write(&context, 1, &stream, record, FACET_COMMAND_DATA_LIMIT + 1) == CUDA_ERROR_INVALID_VALUE, 32);
    char *arguments = facet_begin_launch(&context, &stream, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    memcpy(arguments, "0123456789ab", 12);
    facet_command_post_in(&context, &stream);
    failed |= check(stream.counted == 3, 64);
    failed |= check(facet_begin_launch(&context, &stream, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, UINT32_MAX) == NULL, 128);
    failed |= check(facet_post_stream_create(3, 5, 1, -2) == CUDA_SUCCESS, 128);
    gone = true;
    failed |= check(facet_wait_context_destroy(3) == CUDA_ERROR_DEVICE_UNAVAILABLE, 128);
    return failed;
}
