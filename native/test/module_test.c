/* Reading the host's answer, compile options, functions that are due. */
#include <stdlib.h>

#include "../libcuda/callback.h"
#include "../libcuda/module.h"
#include "check.h"

struct answer {
    struct facet_module_answer head;
    struct facet_function_record functions[3];
    struct facet_parameter_record parameters[2];
    struct facet_variable_record variables[1];
    char names[24];
    char log[8];
};

static struct answer sample(void)
{
    struct answer answer = {
        .head = {.function_count = 3, .parameter_count = 2, .variable_count = 1, .name_bytes = 24, .log_bytes = 8},
        .functions = {{.name = 0}, {.name = 5, .first_parameter = 0, .parameter_count = 2, .parameter_bytes = 12}, {.name = 9}},
        .parameters = {{0, 8}, {8, 4}},
        .variables = {{.address = 4096, .bytes = 64, .name = 15}},
        .names = "zeta\0abc\0gamma\0variable",
        .log = "a log",
    };
    return answer;
}

static void answers(void)
{
    struct answer answer = sample();
    struct facet_module module = {0};
    CHECK_EQUAL(CUDA_SUCCESS, facet_answer_read(&answer, sizeof answer, &module));
    CHECK_EQUAL(0, facet_module_function_index(&module, "zeta"));
    CHECK_EQUAL(1, facet_module_function_index(&module, "abc"));
    CHECK_EQUAL(2, facet_module_function_index(&module, "gamma"));
    CHECK_EQUAL(-1, facet_module_function_index(&module, "variable"));
    CHECK_EQUAL(-1, facet_module_function_index(&module, ""));
    CHECK_EQUAL(4096, facet_module_variable(&module, "variable")->address);
    CHECK(facet_module_variable(&module, "abc") == NULL);
    CHECK_TEXT("a log", module.log);
    facet_answer_free(&module);
}

/* One byte of the head or of an index changed: an error, or an answer that stays inside itself. */
static void wrong_answers(void)
{
    struct facet_module module = {0};
    struct answer answer = sample();
    CHECK(facet_answer_read(&answer, sizeof answer - 1, &module) != CUDA_SUCCESS);
    answer.functions[2].name = 24;
    CHECK(facet_answer_read(&answer, sizeof answer, &module) != CUDA_SUCCESS);
    answer = sample();
    answer.functions[1].first_parameter = 1;
    CHECK(facet_answer_read(&answer, sizeof answer, &module) != CUDA_SUCCESS);
    answer = sample();
    answer.parameters[1].bytes = 5;
    CHECK(facet_answer_read(&answer, sizeof answer, &module) != CUDA_SUCCESS);
    answer = sample();
    answer.names[23] = 'x';
    CHECK(facet_answer_read(&answer, sizeof answer, &module) != CUDA_SUCCESS);
    answer = sample();
    answer.head.function_count = UINT32_MAX;
    CHECK(facet_answer_read(&answer, sizeof answer, &module) != CUDA_SUCCESS);
    CHECK(module.answer == NULL && module.handles == NULL);
}

static void options(void)
{
    char info[8] = "#######";
    char error[8] = "#######";
    CUjit_option names[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_WALL_TIME,       CU_JIT_OPTIMIZATION_LEVEL};
    void *values[] = {info, (void *)8, error, (void *)8, NULL, (void *)4};
    struct facet_jit jit;
    CHECK_EQUAL(CUDA_SUCCESS, facet_jit_read(6, names, values, &jit));
    facet_jit_write(&jit, CUDA_ERROR_INVALID_PTX, "line 3: no such instruction", 1.5);
    CHECK_TEXT("line 3:", error);
    CHECK_TEXT("", info);
    CHECK_EQUAL(7, (uintptr_t)values[3]);
    CHECK_EQUAL(0, (uintptr_t)values[1]);
    float time;
    memcpy(&time, &values[4], sizeof time);
    CHECK(time == 1.5f);

    names[5] = 9999;
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_jit_read(6, names, values, &jit));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, facet_jit_read(1, NULL, NULL, &jit));
    CHECK_EQUAL(CUDA_SUCCESS, facet_jit_read(0, NULL, NULL, &jit));
    facet_jit_write(&jit, CUDA_SUCCESS, NULL, 0);
}

static void pending(void)
{
    enum { COUNT = 1000 };
    struct facet_context *context = (struct facet_context *)&(char[1]){0};
    uint64_t tokens[COUNT];
    struct facet_callback callback = {.context = context};
    for (size_t i = 0; i < COUNT; i++) {
        callback.data = (void *)i;
        tokens[i] = facet_pending_add(&callback);
        CHECK(tokens[i] != 0);
    }
    for (size_t i = 0; i < COUNT; i += 2) {
        CHECK(facet_pending_take(tokens[i], &callback));
        CHECK_EQUAL(i, (uintptr_t)callback.data);
        CHECK(!facet_pending_take(tokens[i], &callback));
    }
    CHECK(!facet_pending_take(0, &callback));
    CHECK(!facet_pending_take(UINT64_MAX, &callback));
    callback = (struct facet_callback){.data = &callback};
    uint64_t other = facet_pending_add(&callback);
    facet_pending_forget(context);
    CHECK(!facet_pending_take(tokens[1], &callback));
    CHECK(facet_pending_any(&callback));
    CHECK(callback.data == &callback);
    CHECK(!facet_pending_take(other, &callback));
    CHECK(!facet_pending_any(&callback));
}

int main(void)
{
    answers();
    wrong_answers();
    options();
    pending();
    return CHECK_RESULT();
}
