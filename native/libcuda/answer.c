/* The host's answer to ModuleLoad: which functions and variables a module has. */
#include <stdlib.h>
#include <string.h>

#include "module.h"

static int by_function_name(const void *left, const void *right, void *data)
{
    const struct facet_module *module = data;
    return strcmp(module->names + module->functions[*(const uint32_t *)left].name, module->names + module->functions[*(const uint32_t *)right].name);
}

static int by_variable_name(const void *left, const void *right, void *data)
{
    const struct facet_module *module = data;
    return strcmp(module->names + module->variables[*(const uint32_t *)left].name, module->names + module->variables[*(const uint32_t *)right].name);
}

static uint32_t *sorted(uint32_t count, struct facet_module *module, int (*compare)(const void *, const void *, void *))
{
    uint32_t *order = calloc(count + 1u, sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare, module);
    return order;
}

/* An answer that contradicts itself would lead us out of it. */
static bool consistent(const struct facet_module *module, const struct facet_module_answer *head)
{
    if (head->name_bytes > 0 && module->names[head->name_bytes - 1] != '\0')
        return false;
    for (uint32_t i = 0; i < head->function_count; i++) {
        const struct facet_function_record *function = &module->functions[i];
        if (function->name >= head->name_bytes || function->first_parameter > head->parameter_count ||
            function->parameter_count > head->parameter_count - function->first_parameter) {
            return false;
        }
        for (uint32_t j = 0; j < function->parameter_count; j++) {
            const struct facet_parameter_record *parameter = &module->parameters[function->first_parameter + j];
            if (parameter->offset > function->parameter_bytes || parameter->bytes > function->parameter_bytes - parameter->offset)
                return false;
        }
    }
    for (uint32_t i = 0; i < head->variable_count; i++) {
        if (module->variables[i].name >= head->name_bytes)
            return false;
    }
    return true;
}

CUresult facet_answer_read(const void *answer, size_t capacity, struct facet_module *module)
{
    struct facet_module_answer head;
    memcpy(&head, answer, sizeof head);
    uint64_t functions = sizeof head;
    uint64_t parameters = functions + (uint64_t)head.function_count * sizeof(struct facet_function_record);
    uint64_t variables = parameters + (uint64_t)head.parameter_count * sizeof(struct facet_parameter_record);
    uint64_t names = variables + (uint64_t)head.variable_count * sizeof(struct facet_variable_record);
    uint64_t log = names + head.name_bytes;
    uint64_t end = log + head.log_bytes;
    if (end > capacity)
        return CUDA_ERROR_UNKNOWN;
    char *copy = malloc(end + 1);
    if (copy == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(copy, answer, end);
    copy[end] = '\0';
    module->answer = copy;
    module->functions = (const void *)(copy + functions);
    module->parameters = (const void *)(copy + parameters);
    module->variables = (const void *)(copy + variables);
    module->names = copy + names;
    module->log = copy + log;
    module->function_count = head.function_count;
    module->variable_count = head.variable_count;
    if (!consistent(module, &head)) {
        facet_answer_free(module);
        return CUDA_ERROR_UNKNOWN;
    }
    module->function_order = sorted(module->function_count, module, by_function_name);
    module->variable_order = sorted(module->variable_count, module, by_variable_name);
    module->handles = calloc(module->function_count + 1u, sizeof *module->handles);
    if (module->function_order == NULL || module->variable_order == NULL || module->handles == NULL) {
        facet_answer_free(module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* There are no registers here: what is said of them is an estimate, and a limit that a program gives changes only that. */
void facet_answer_limit(struct facet_module *module, uint32_t registers)
{
    enum { LEAST = 8 }; /* as the host says at least */
    struct facet_function_record *functions = (void *)((char *)module->answer + sizeof(struct facet_module_answer));
    uint32_t most = registers < LEAST ? LEAST : registers;
    for (uint32_t i = 0; registers != 0 && i < module->function_count; i++)
        if (functions[i].registers > most)
            functions[i].registers = most;
}

void facet_answer_free(struct facet_module *module)
{
    free(module->answer);
    free(module->handles);
    free(module->function_order);
    free(module->variable_order);
    module->answer = NULL;
    module->handles = NULL;
    module->function_order = NULL;
    module->variable_order = NULL;
    module->function_count = 0;
    module->variable_count = 0;
}

int64_t facet_module_function_index(const struct facet_module *module, const char *name)
{
    uint32_t low = 0;
    uint32_t high = module->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t index = module->function_order[middle];
        int order = strcmp(name, module->names + module->functions[index].name);
        if (order == 0)
            return index;
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}

const struct facet_variable_record *facet_module_variable(const struct facet_module *module, const char *name)
{
    uint32_t low = 0;
    uint32_t high = module->variable_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct facet_variable_record *variable = &module->variables[module->variable_order[middle]];
        int order = strcmp(name, module->names + variable->name);
        if (order == 0)
            return variable;
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}
