/* What nodes do: from the program's parameters to checked ones of our own, and copies of these. */
#include <stdlib.h>
#include <string.h>

#include "../arguments.h"
#include "../event.h"
#include "../launch.h"
#include "../memory.h"
#include "graph.h"

/* Arguments and the pointers to them, in one piece. */
static CUresult room_for_arguments(struct facet_node_kernel *kernel)
{
    size_t bytes = ((size_t)kernel->bytes + 15) & ~(size_t)15;
    kernel->arguments = calloc(1, bytes + ((size_t)kernel->count + 1) * sizeof(void *));
    if (kernel->arguments == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    kernel->pointers = (void **)(void *)(kernel->arguments + bytes);
    return CUDA_SUCCESS;
}

/* Where each of them is, as the function says. */
static void point(struct facet_node_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->count; i++)
        kernel->pointers[i] = kernel->arguments + kernel->function->parameters[i].offset;
}

CUresult facet_work_launch(struct facet_context *context, const CUDA_KERNEL_NODE_PARAMS_v2 *params, struct facet_work *work)
{
    *work = (struct facet_work){.type = CU_GRAPH_NODE_TYPE_KERNEL, .context = context};
    struct facet_node_kernel *kernel = &work->kernel;
    *kernel = (struct facet_node_kernel){
        .asked = params->func != NULL ? params->func : (CUfunction)params->kern,
        .grid = {params->gridDimX, params->gridDimY, params->gridDimZ},
        .block = {params->blockDimX, params->blockDimY, params->blockDimZ},
        .shared = params->sharedMemBytes,
    };
    CUresult result = facet_function_resolve(kernel->asked, context, &kernel->function);
    if (result != CUDA_SUCCESS)
        return result;
    work->context = kernel->function->object.context;
    struct facet_launch launch = {.shared = kernel->shared};
    memcpy(launch.grid, kernel->grid, sizeof launch.grid);
    memcpy(launch.block, kernel->block, sizeof launch.block);
    result = facet_launch_check(&launch, kernel->function);
    struct facet_arguments arguments;
    if (result == CUDA_SUCCESS)
        result = facet_arguments_find(kernel->function->record, params->kernelParams, params->extra, &arguments);
    if (result != CUDA_SUCCESS)
        return result;
    kernel->bytes = kernel->function->record->parameter_bytes;
    kernel->count = kernel->function->record->parameter_count;
    result = room_for_arguments(kernel);
    if (result == CUDA_SUCCESS) {
        point(kernel);
        facet_arguments_pack(kernel->function->record, kernel->function->parameters, &arguments, kernel->arguments);
    }
    return result;
}

static CUresult make_kernel(const CUDA_KERNEL_NODE_PARAMS_v3 *params, struct facet_work *work)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (params->func == NULL && params->ctx != NULL) {
        context = facet_context_handle(params->ctx);
        if (context == NULL)
            return CUDA_ERROR_INVALID_CONTEXT;
    }
    CUDA_KERNEL_NODE_PARAMS_v2 same;
    memcpy(&same, params, sizeof same);
    return facet_work_launch(context, &same, work);
}

/* The context that a call names, or the current one. */
static CUresult context_of(CUcontext handle, struct facet_context **context)
{
    CUresult result = facet_context_current(context);
    if (handle != NULL) {
        *context = facet_context_handle(handle);
        result = *context == NULL ? CUDA_ERROR_INVALID_CONTEXT : facet_context_fault(*context);
    }
    return result;
}

static CUresult check_side(uint64_t address, uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice)
{
    uint64_t span;
    struct facet_side side;
    return facet_span(width, height, depth, pitch, slice, &span) ? facet_memory_side(address, span, &side) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult make_copy(const CUDA_MEMCPY_NODE_PARAMS *params, struct facet_work *work)
{
    if (params->flags != 0 || params->reserved != 0)
        return CUDA_ERROR_INVALID_VALUE;
    work->copy.asked = params->copyParams;
    CUresult result = context_of(params->copyCtx, &work->context);
    if (result == CUDA_SUCCESS)
        result = facet_box_of(&params->copyParams, &work->copy.box);
    const struct facet_box *box = &work->copy.box;
    if (result != CUDA_SUCCESS || box->width == 0 || box->height == 0 || box->depth == 0)
        return result;
    result = check_side(box->destination, box->width, box->height, box->depth, box->destination_pitch, box->destination_slice);
    return result == CUDA_SUCCESS ? check_side(box->source, box->width, box->height, box->depth, box->source_pitch, box->source_slice) : result;
}

static CUmemorytype type_of(uint64_t address)
{
    struct facet_allocation found;
    return facet_memory_find(address, &found) && found.host == NULL ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

/* As the program may have said it. */
void facet_work_copy_of(struct facet_context *context, const struct facet_box *box, struct facet_work *work)
{
    CUmemorytype to = type_of(box->destination), from = type_of(box->source);
    *work = (struct facet_work){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .context = context};
    work->copy.box = *box;
    work->copy.asked = (CUDA_MEMCPY3D){
        .srcMemoryType = from,
        .srcHost = from == CU_MEMORYTYPE_HOST ? (const void *)(uintptr_t)box->source : NULL,
        .srcDevice = from == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)box->source,
        .srcPitch = box->source_pitch,
        .srcHeight = box->source_pitch == 0 ? 0 : box->source_slice / box->source_pitch,
        .dstMemoryType = to,
        .dstHost = to == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)box->destination : NULL,
        .dstDevice = to == CU_MEMORYTYPE_HOST ? 0 : (CUdeviceptr)box->destination,
        .dstPitch = box->destination_pitch,
        .dstHeight = box->destination_pitch == 0 ? 0 : box->destination_slice / box->destination_pitch,
        .WidthInBytes = box->width,
        .Height = box->height,
        .Depth = box->depth,
    };
}

static CUresult make_fill(const CUDA_MEMSET_NODE_PARAMS_v2 *params, struct facet_work *work)
{
    memcpy(&work->fill.asked, params, sizeof work->fill.asked);
    CUresult result = context_of(params->ctx, &work->context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t row, size = params->elementSize;
    if ((size != 1 && size != 2 && size != 4) || params->dst == 0 || params->dst % size != 0 || params->width == 0 || params->height == 0 ||
        __builtin_mul_overflow(params->width, size, &row))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t pitch = params->height == 1 ? row : params->pitch;
    if (pitch < row || pitch % size != 0)
        return CUDA_ERROR_INVALID_VALUE;
    return check_side(params->dst, row, params->height, 1, pitch, 0);
}

static CUresult make_event(CUevent handle, struct facet_work *work)
{
    struct facet_event *event = facet_object(handle, FACET_EVENT);
    if (event == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    work->context = event->object.context;
    work->event = handle;
    return CUDA_SUCCESS;
}

static CUresult make_child(const CUDA_CHILD_GRAPH_NODE_PARAMS *params, struct facet_work *work)
{
    struct facet_graph *graph = facet_graph_of(params->graph);
    if (graph == NULL || graph->capture != NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_graph_has(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (params->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
        if (graph->parent != NULL)
            return CUDA_ERROR_INVALID_VALUE;
        work->child = graph;
        return CUDA_SUCCESS;
    }
    if (params->ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE)
        return CUDA_ERROR_INVALID_VALUE;
    if (facet_graph_has(graph, CU_GRAPH_NODE_TYPE_MEM_ALLOC) || facet_graph_has(graph, CU_GRAPH_NODE_TYPE_MEM_FREE))
        return CUDA_ERROR_NOT_SUPPORTED;
    return facet_graph_copy(graph, &work->child);
}

static CUresult make_allocation(const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params, struct facet_work *work)
{
    CUresult result = facet_context_current(&work->context);
    if (result != CUDA_SUCCESS)
        return result;
    const CUmemPoolProps *pool = &params->poolProps;
    if (params->bytesize == 0 || pool->allocType != CU_MEM_ALLOCATION_TYPE_PINNED || pool->handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
        (params->accessDescCount > 0 && params->accessDescs == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    if (pool->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return facet_unsupported("memory nodes of host memory");
    if (facet_device(pool->location.id) == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (pool->location.id != work->context->device)
        return facet_unsupported("memory nodes of another device than the current one");
    return facet_graph_memory_new(work->context, params->bytesize, &work->memory);
}

static CUresult make_free(CUdeviceptr address, struct facet_work *work)
{
    struct facet_graph_memory *memory = facet_graph_memory_at(address);
    if (memory == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memory->references++;
    work->context = memory->context;
    work->memory = memory;
    return CUDA_SUCCESS;
}

static CUresult make(const CUgraphNodeParams *params, bool creating, struct facet_work *work)
{
    switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return make_kernel(&params->kernel, work);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return make_copy(&params->memcpy, work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return make_fill(&params->memset, work);
    case CU_GRAPH_NODE_TYPE_HOST:
        work->host = (CUDA_HOST_NODE_PARAMS_v1){.fn = params->host.fn, .userData = params->host.userData};
        return params->host.fn == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return make_event(params->eventWait.event, work);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return creating ? make_child(&params->graph, work) : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return creating ? make_allocation(&params->alloc, work) : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return creating ? make_free(params->free.dptr, work) : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return creating ? facet_conditional_make(&params->conditional, work) : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        return facet_unsupported("graph nodes of external semaphores");
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return facet_unsupported("graph nodes of memory operations (cuStreamBatchMemOp)");
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult facet_work_make(const CUgraphNodeParams *params, bool creating, struct facet_work *work)
{
    *work = (struct facet_work){.type = params->type};
    CUresult result = make(params, creating, work);
    if (result != CUDA_SUCCESS && params->type == CU_GRAPH_NODE_TYPE_KERNEL)
        facet_work_free(work);
    return result;
}

static CUresult copy_kernel(const struct facet_node_kernel *kernel, struct facet_node_kernel *copy)
{
    copy->attributes = NULL;
    CUresult result = room_for_arguments(copy);
    if (result == CUDA_SUCCESS) {
        memcpy(copy->arguments, kernel->arguments, kernel->bytes);
        for (uint32_t i = 0; i < kernel->count; i++)
            copy->pointers[i] = copy->arguments + ((unsigned char *)kernel->pointers[i] - kernel->arguments);
    }
    if (result == CUDA_SUCCESS && kernel->attributes != NULL) {
        copy->attributes = malloc(FACET_NODE_ATTRIBUTES * sizeof *copy->attributes);
        if (copy->attributes == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        memcpy(copy->attributes, kernel->attributes, FACET_NODE_ATTRIBUTES * sizeof *copy->attributes);
    }
    return result;
}

static CUresult copy_conditional(const struct facet_node_conditional *conditional, struct facet_node_conditional *copy)
{
    copy->bodies = calloc(conditional->size, sizeof *copy->bodies);
    if (copy->bodies == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    copy->condition->references++;
    for (unsigned i = 0; i < conditional->size; i++) {
        struct facet_graph *body;
        CUresult result = facet_graph_copy((struct facet_graph *)conditional->bodies[i], &body);
        if (result != CUDA_SUCCESS)
            return result;
        copy->bodies[i] = (CUgraph)body;
    }
    return CUDA_SUCCESS;
}

CUresult facet_work_copy(const struct facet_work *work, struct facet_work *copy)
{
    *copy = *work;
    CUresult result = CUDA_SUCCESS;
    switch (work->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        result = copy_kernel(&work->kernel, &copy->kernel);
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        copy->child = NULL;
        result = facet_graph_copy(work->child, &copy->child);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        result = copy_conditional(&work->conditional, &copy->conditional);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        copy->memory->references++;
        break;
    default:
        break;
    }
    if (result != CUDA_SUCCESS)
        facet_work_free(copy);
    return result;
}

void facet_work_free(struct facet_work *work)
{
    switch (work->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        free(work->kernel.arguments);
        free(work->kernel.attributes);
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        if (work->child != NULL)
            facet_graph_free(work->child);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        for (unsigned i = 0; work->conditional.bodies != NULL && i < work->conditional.size; i++)
            if (work->conditional.bodies[i] != NULL)
                facet_graph_free((struct facet_graph *)work->conditional.bodies[i]);
        if (work->conditional.bodies != NULL)
            facet_condition_drop(work->conditional.condition);
        free(work->conditional.bodies);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        facet_graph_memory_drop(work->memory);
        break;
    default:
        break;
    }
    *work = (struct facet_work){.type = CU_GRAPH_NODE_TYPE_EMPTY};
}
