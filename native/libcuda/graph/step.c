/* A step as the host gets it: a command like those in the ring, without a stream. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../callback.h"
#include "../event.h"
#include "../far_copy.h"
#include "../memory.h"
#include "../touch.h"
#include "exec.h"

/* Room for a command in the ring, inside a GraphStep; facet_command_post follows. */
static void *begin(const struct facet_exec *exec, const struct facet_step *step, uint16_t type, uint32_t bytes)
{
    uint32_t length = (bytes + 7) & ~7u;
    struct facet_record_header *header =
        facet_begin_graph_step(exec->object.context->object.id, exec->object.id, step->block, step->index, step->lane, step->waits, length);
    if (header == NULL)
        return NULL;
    memset(header, 0, length);
    header->length = length;
    header->type = type;
    header->context = exec->object.context->object.id;
    return header;
}

static CUresult send_nothing(const struct facet_exec *exec, const struct facet_step *step)
{
    return facet_post_graph_step(exec->object.context->object.id, exec->object.id, step->block, step->index, step->lane, step->waits, NULL, 0);
}

/* Both commands begin alike. */
_Static_assert(offsetof(struct facet_command_launch, flags) == offsetof(struct facet_command_launch_clusters, flags), "launches with clusters");

static CUresult send_kernel(const struct facet_exec *exec, const struct facet_step *step)
{
    const struct facet_node_kernel *kernel = &step->node->work.kernel;
    if (facet_object(kernel->function, FACET_FUNCTION) == NULL)
        return CUDA_ERROR_INVALID_HANDLE; /* unloaded meanwhile */
    unsigned own[3];
    const unsigned *cluster = facet_kernel_cluster(kernel, own);
    struct facet_command_launch *launch;
    struct facet_command_launch_clusters *clusters = NULL;
    if (cluster == NULL) {
        launch = begin(exec, step, FACET_COMMAND_LAUNCH, (uint32_t)sizeof *launch + kernel->bytes);
    } else {
        clusters = begin(exec, step, FACET_COMMAND_LAUNCH_CLUSTERS, (uint32_t)sizeof *clusters + kernel->bytes);
        launch = (struct facet_command_launch *)(void *)clusters;
    }
    if (launch == NULL)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    launch->module = kernel->function->module->object.id;
    launch->function = kernel->function->index;
    launch->grid_x = kernel->grid[0];
    launch->grid_y = kernel->grid[1];
    launch->grid_z = kernel->grid[2];
    launch->block_x = kernel->block[0];
    launch->block_y = kernel->block[1];
    launch->block_z = kernel->block[2];
    launch->shared = kernel->shared;
    launch->flags = facet_kernel_cooperative(kernel) ? FACET_LAUNCH_COOPERATIVE : 0;
    if (clusters == NULL) {
        launch->arguments_bytes = kernel->bytes;
    } else {
        clusters->cluster_x = cluster[0];
        clusters->cluster_y = cluster[1];
        clusters->cluster_z = cluster[2];
        clusters->arguments_bytes = kernel->bytes;
    }
    memcpy(clusters == NULL ? (void *)(launch + 1) : (void *)(clusters + 1), kernel->arguments, kernel->bytes);
    facet_command_post();
    return CUDA_SUCCESS;
}

static CUresult send_fill(const struct facet_exec *exec, const struct facet_step *step)
{
    const CUDA_MEMSET_NODE_PARAMS_v1 *asked = &step->node->work.fill.asked;
    uint64_t row = asked->width * asked->elementSize, pitch = asked->height == 1 ? row : asked->pitch, span;
    struct facet_side side;
    CUresult result = facet_span(row, asked->height, 1, pitch, 0, &span) ? facet_memory_side(asked->dst, span, &side) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    facet_side_in(&side, exec->object.context);
    if (side.context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (side.context != exec->object.context)
        return facet_unsupported("memset nodes of another context's memory");
    struct facet_command_fill *fill = begin(exec, step, FACET_COMMAND_FILL, sizeof *fill);
    if (fill == NULL)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    fill->destination = side.address;
    fill->pitch = pitch;
    fill->columns = asked->width;
    fill->rows = asked->height;
    fill->value = asked->value;
    fill->width = asked->elementSize;
    facet_command_post();
    return CUDA_SUCCESS;
}

static CUresult send_event(const struct facet_exec *exec, const struct facet_step *step)
{
    const struct facet_event *event = facet_object(step->node->work.event, FACET_EVENT);
    if (event == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    if (step->node->work.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) {
        struct facet_command_event_record *record = begin(exec, step, FACET_COMMAND_EVENT_RECORD, sizeof *record);
        if (record == NULL)
            return CUDA_ERROR_DEVICE_UNAVAILABLE;
        record->event = event->object.id;
    } else {
        struct facet_command_stream_wait_event *wait = begin(exec, step, FACET_COMMAND_STREAM_WAIT_EVENT, sizeof *wait);
        if (wait == NULL)
            return CUDA_ERROR_DEVICE_UNAVAILABLE;
        wait->event = event->object.id;
    }
    facet_command_post();
    return CUDA_SUCCESS;
}

/* ---- host functions */

static CUresult send_function(struct facet_exec *exec, struct facet_step *step, CUhostFn function, void *data)
{
    CUresult result = facet_callback_thread_start();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_callback callback = {.context = exec->object.context, .function = function, .data = data, .lasting = true};
    step->keep.token = facet_pending_add(&callback);
    if (step->keep.token == 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct facet_command_host_function *record = begin(exec, step, FACET_COMMAND_HOST_FUNCTION, sizeof *record);
    if (record == NULL)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    record->token = step->keep.token;
    facet_command_post();
    return CUDA_SUCCESS;
}

/* ---- copies */

static void transfer(void *data)
{
    const struct facet_transfer *transfer = data;
    struct facet_touch touch = {.first = transfer->device};
    if (facet_touch_begin(&touch) != CUDA_SUCCESS) {
        facet_say("a copy of a graph was left out: there is no room on the device for the memory of its context");
        return;
    }
    facet_box_copy(&transfer->box);
    facet_touch_end(&touch);
}

static CUresult send_transfer(struct facet_exec *exec, struct facet_step *step, const struct facet_box *box, struct facet_context *device)
{
    step->keep.transfer = malloc(sizeof *step->keep.transfer);
    if (step->keep.transfer == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *step->keep.transfer = (struct facet_transfer){.box = *box, .device = device};
    return send_function(exec, step, transfer, step->keep.transfer);
}

static CUresult send_box(const struct facet_exec *exec, const struct facet_step *step, const struct facet_box *box)
{
    if (box->height == 1 && box->depth == 1) {
        struct facet_command_copy *copy = begin(exec, step, FACET_COMMAND_COPY, sizeof *copy);
        if (copy == NULL)
            return CUDA_ERROR_DEVICE_UNAVAILABLE;
        copy->destination = box->destination;
        copy->source = box->source;
        copy->bytes = box->width;
    } else {
        struct facet_command_copy_box *copy = begin(exec, step, FACET_COMMAND_COPY_BOX, sizeof *copy);
        if (copy == NULL)
            return CUDA_ERROR_DEVICE_UNAVAILABLE;
        copy->destination = box->destination;
        copy->destination_pitch = box->destination_pitch;
        copy->destination_slice = box->destination_slice;
        copy->source = box->source;
        copy->source_pitch = box->source_pitch;
        copy->source_slice = box->source_slice;
        copy->width = box->width;
        copy->height = box->height;
        copy->depth = box->depth;
    }
    facet_command_post();
    return CUDA_SUCCESS;
}

static CUresult send_peer(const struct facet_exec *exec, const struct facet_step *step, const struct facet_box *box, const struct facet_side *to,
                          const struct facet_side *from)
{
    const struct facet_context *context = exec->object.context;
    if (box->height != 1 || box->depth != 1 || to->far || from->far || (to->context != context && from->context != context))
        return facet_unsupported("memcpy nodes of rows between devices");
    struct facet_command_copy_peer *copy = begin(exec, step, FACET_COMMAND_COPY_PEER, sizeof *copy);
    if (copy == NULL)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    copy->destination = to->address;
    copy->source = from->address;
    copy->bytes = box->width;
    copy->peer = to->context == context ? from->context->object.id : to->context->object.id;
    copy->to_peer = to->context != context;
    facet_command_post();
    return CUDA_SUCCESS;
}

/* Memory that cannot be touched from here: the data lies in staging memory between the two parts. */
static CUresult send_far(struct facet_exec *exec, struct facet_step *step, const struct facet_box *box, bool leaves)
{
    /* The first part made room. */
    struct facet_step *first = &exec->steps[step->node->steps];
    if (step->part == 0) {
        CUresult result = facet_staging_take(exec->object.context, facet_box_volume(box), &first->keep.staging);
        if (result != CUDA_SUCCESS)
            return result;
    }
    struct facet_box in = *box, out = *box;
    in.destination = out.source = first->keep.staging;
    in.destination_pitch = out.source_pitch = box->width;
    in.destination_slice = out.source_slice = box->width * box->height;
    const struct facet_box *part = step->part == 0 ? &in : &out;
    return (step->part == 0) == leaves ? send_box(exec, step, part) : send_transfer(exec, step, part, NULL);
}

static CUresult send_copy(struct facet_exec *exec, struct facet_step *step)
{
    struct facet_box box = step->node->work.copy.box;
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return send_nothing(exec, step);
    struct facet_side to, from;
    CUresult result = facet_box_sides(&box, &to, &from);
    if (result != CUDA_SUCCESS)
        return result;
    facet_box_flatten(&box);
    struct facet_context *context = exec->object.context;
    facet_side_in(&to, context);
    facet_side_in(&from, context);
    bool inside = to.context == context && from.context == context;
    bool far = !inside && (to.far || from.far);
    bool foreign = (to.context != NULL && to.context != context) || (from.context != NULL && from.context != context);
    if (far && !foreign)
        return send_far(exec, step, &box, from.far);
    if (step->part != 0)
        return send_nothing(exec, step);
    if (inside) {
        box.destination = to.address;
        box.source = from.address;
        return send_box(exec, step, &box);
    }
    bool devices = to.context != NULL && from.context != NULL && to.kind == FACET_MEMORY_DEVICE && from.kind == FACET_MEMORY_DEVICE;
    if (foreign && devices)
        return send_peer(exec, step, &box, &to, &from);
    if (far)
        return facet_unsupported("memcpy nodes with memory of another context");
    return send_transfer(exec, step, &box, to.moves ? to.context : from.moves ? from.context : NULL);
}

static CUresult send_conditional(const struct facet_exec *exec, const struct facet_step *step)
{
    const struct facet_node_conditional *conditional = &step->node->work.conditional;
    uint32_t count = conditional->size;
    uint32_t *bodies = facet_begin_graph_condition(exec->object.context->object.id, conditional->condition->address, exec->object.id, step->block,
                                                   step->index, step->lane, step->waits, (uint32_t)conditional->kind, conditional->condition->assigns,
                                                   conditional->condition->value, count * (uint32_t)sizeof *bodies);
    if (bodies == NULL)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    for (uint32_t i = 0; i < count; i++)
        bodies[i] = step->part + i;
    facet_command_post();
    return CUDA_SUCCESS;
}

CUresult facet_step_send(struct facet_exec *exec, struct facet_step *step)
{
    facet_keep_end(exec->object.context, exec->unique, &step->keep);
    const struct facet_node *node = step->node;
    if (node->disabled)
        return send_nothing(exec, step);
    switch (node->work.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return send_kernel(exec, step);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return send_copy(exec, step);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return send_fill(exec, step);
    case CU_GRAPH_NODE_TYPE_HOST:
        return send_function(exec, step, node->work.host.fn, node->work.host.userData);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return send_event(exec, step);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return send_conditional(exec, step);
    default:
        return send_nothing(exec, step); /* memory is given out before a launch; child graphs have steps of their own */
    }
}
