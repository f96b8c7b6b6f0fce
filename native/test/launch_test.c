/* What is computed before a launch: arguments, and how many blocks fit. */
#include "../libcuda/arguments.h"
#include "../libcuda/occupancy.h"
#include "check.h"

/* (char, double, 12 bytes, short), with 2 bytes at the end that belong to nothing */
static const struct facet_parameter_record parameters[] = {{0, 1}, {8, 8}, {16, 12}, {28, 2}};
static const struct facet_function_record record = {.parameter_count = 4, .parameter_bytes = 32};

static void values(void)
{
    char first = 7;
    double second = 2.5;
    int third[3] = {1, -2, 3};
    short fourth = 513;
    void *each[] = {&first, &second, third, &fourth};
    struct facet_arguments found;
    CHECK_EQUAL(CUDA_SUCCESS, facet_arguments_find(&record, each, NULL, &found));
    unsigned char packed[40];
    memset(packed, 0xAA, sizeof packed);
    facet_arguments_pack(&record, parameters, &found, packed);
    unsigned char expected[40] = {7};
    memcpy(expected + 8, &second, 8);
    memcpy(expected + 16, third, 12);
    memcpy(expected + 28, &fourth, 2);
    memset(expected + 32, 0xAA, 8);
    CHECK(memcmp(expected, packed, sizeof packed) == 0);

    each[2] = NULL;
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_arguments_find(&record, each, NULL, &found));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_arguments_find(&record, NULL, NULL, &found));
    const struct facet_function_record none = {0};
    CHECK_EQUAL(CUDA_SUCCESS, facet_arguments_find(&none, NULL, NULL, &found));
}

static void packed_by_the_program(void)
{
    unsigned char buffer[32];
    memset(buffer, 5, sizeof buffer);
    size_t bytes = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    struct facet_arguments found;
    CHECK_EQUAL(CUDA_SUCCESS, facet_arguments_find(&record, NULL, extra, &found));
    unsigned char packed[32] = {0};
    facet_arguments_pack(&record, parameters, &found, packed);
    CHECK(memcmp(buffer, packed, sizeof packed) == 0);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_arguments_find(&record, extra, extra, &found));
    bytes = 31;
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_arguments_find(&record, NULL, extra, &found));
    void *strange[] = {(void *)3, buffer, CU_LAUNCH_PARAM_END};
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_arguments_find(&record, NULL, strange, &found));
}

static void fit(void)
{
    const struct facet_multiprocessor on = {.count = 2,
                                            .blocks = 24,
                                            .threads = 1536,
                                            .shared = 100 << 10,
                                            .warp = 32,
                                            .registers = 65536,
                                            .block_threads = 1024,
                                            .block_shared = 48 << 10,
                                            .block_shared_optin = 99 << 10};
    CHECK_EQUAL(24, facet_blocks_that_fit(&on, 1, 0, 0));
    CHECK_EQUAL(24, facet_blocks_that_fit(&on, 64, 0, 0));
    CHECK_EQUAL(16, facet_blocks_that_fit(&on, 65, 0, 0));
    CHECK_EQUAL(6, facet_blocks_that_fit(&on, 256, 0, 0));
    CHECK_EQUAL(1, facet_blocks_that_fit(&on, 1024, 0, 0));
    CHECK_EQUAL(0, facet_blocks_that_fit(&on, 1025, 0, 0));
    CHECK_EQUAL(0, facet_blocks_that_fit(&on, 0, 0, 0));
    CHECK_EQUAL(2, facet_blocks_that_fit(&on, 32, 48 << 10, 0));
    CHECK_EQUAL(1, facet_blocks_that_fit(&on, 32, (50 << 10) + 1, 0));
    CHECK_EQUAL(1, facet_blocks_that_fit(&on, 32, 99 << 10, 0));
    CHECK_EQUAL(0, facet_blocks_that_fit(&on, 32, (99 << 10) + 1, 0));
    CHECK_EQUAL(0, facet_blocks_that_fit(&on, 32, UINT64_MAX, 0));
    CHECK_EQUAL(6, facet_blocks_that_fit(&on, 256, 0, 40));
    CHECK_EQUAL(5, facet_blocks_that_fit(&on, 256, 0, 41)); /* 48 for each thread */
    CHECK_EQUAL(1, facet_blocks_that_fit(&on, 256, 0, 255));
    CHECK_EQUAL(1, facet_blocks_that_fit(&on, 1024, 0, UINT32_MAX)); /* a block that is allowed at all can run */
}

int main(void)
{
    values();
    packed_by_the_program();
    fit();
    return CHECK_RESULT();
}
