/* Who copies, and when. Where both sides lie in memory that this process can reach and nothing must be waited for,
 * a copy is a memcpy. docs/session-protocol.md, Memory */
#include "copy.h"

#include <string.h>

#include "bulk.h"
#include "far_copy.h"
#include "graph/capture.h"
#include "memory.h"
#include "stream.h"
#include "touch.h"

#define WRITE_MOST UINT64_C(4096) /* data that travels in the command itself */

struct plan {
    struct facet_box box;
    struct facet_side destination, source;
    struct facet_touch touch; /* whose device memory is read or written */
    struct facet_context *context;
    struct facet_stream *stream;
};

static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

void facet_box_flatten(struct facet_box *box)
{
    if (box->height > 1 && box->width == box->destination_pitch && box->width == box->source_pitch) {
        bool tight = box->depth == 1 || (box->destination_slice == box->width * box->height && box->source_slice == box->destination_slice);
        box->width *= box->height;
        box->height = 1;
        if (tight) {
            box->width *= box->depth;
            box->depth = 1;
        }
    }
    if (box->height == 1 && box->depth > 1) {
        box->height = box->depth;
        box->destination_pitch = box->destination_slice;
        box->source_pitch = box->source_slice;
        box->depth = 1;
    }
}

void facet_box_copy(const struct facet_box *box)
{
    for (uint64_t z = 0; z < box->depth; z++)
        for (uint64_t y = 0; y < box->height; y++)
            facet_bulk_copy(pointer(box->destination + z * box->destination_slice + y * box->destination_pitch),
                            pointer(box->source + z * box->source_slice + y * box->source_pitch), box->width);
}

CUresult facet_box_post(struct facet_context *context, const struct facet_box *box, struct facet_stream *stream)
{
    if (box->height == 1 && box->depth == 1)
        return facet_post_copy(context, box->destination, box->source, box->width, stream);
    return facet_post_copy_box(context, box->destination, box->destination_pitch, box->destination_slice, box->source, box->source_pitch,
                               box->source_slice, box->width, box->height, box->depth, stream);
}

static CUresult copy_now(const struct plan *plan)
{
    CUresult result = facet_touch_begin(&plan->touch);
    if (result != CUDA_SUCCESS)
        return result;
    facet_box_copy(&plan->box);
    facet_touch_end(&plan->touch);
    return CUDA_SUCCESS;
}

CUresult facet_box_sides(const struct facet_box *box, struct facet_side *destination, struct facet_side *source)
{
    uint64_t to, from;
    if (!facet_span(box->width, box->height, box->depth, box->destination_pitch, box->destination_slice, &to) ||
        !facet_span(box->width, box->height, box->depth, box->source_pitch, box->source_slice, &from))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = facet_memory_side(box->destination, to, destination);
    return result == CUDA_SUCCESS ? facet_memory_side(box->source, from, source) : result;
}

/* As the host knows both sides. */
static CUresult post(const struct plan *plan)
{
    struct facet_box box = plan->box;
    box.destination = plan->destination.address;
    box.source = plan->source.address;
    return facet_box_post(plan->context, &box, plan->stream);
}

static CUresult wait_and_copy(const struct plan *plan)
{
    CUresult result = facet_stream_wait(plan->context, plan->stream);
    return result == CUDA_SUCCESS ? copy_now(plan) : result;
}

/* The program may change its data as soon as the call returns: the command gets its own. */
static CUresult send(const struct plan *plan)
{
    const struct facet_box *box = &plan->box;
    uint64_t bytes = facet_box_volume(box);
    if (plan->touch.second != NULL) /* memory of another context's device */
        return wait_and_copy(plan);
    if (bytes <= WRITE_MOST && box->height == 1 && box->depth == 1)
        return facet_post_write(plan->context, plan->destination.address, plan->stream, pointer(box->source), (uint32_t)bytes);
    uint64_t staged;
    if (bytes > facet_staging_most() || facet_staging_take(plan->context, bytes, &staged) != CUDA_SUCCESS)
        return wait_and_copy(plan);
    struct facet_box packed = *box;
    packed.destination = staged;
    packed.destination_pitch = box->width;
    packed.destination_slice = box->width * box->height;
    facet_box_copy(&packed);
    struct facet_box sent = *box;
    sent.destination = plan->destination.address;
    sent.source = staged;
    sent.source_pitch = packed.destination_pitch;
    sent.source_slice = packed.destination_slice;
    CUresult result = facet_box_post(plan->context, &sent, plan->stream);
    facet_staging_sent(plan->context, staged);
    return result;
}

static CUresult run(const struct plan *plan, bool asynchronous)
{
    const struct facet_side *to = &plan->destination, *from = &plan->source;
    bool both = to->context != NULL && from->context != NULL;
    /* What only the device sees need not have arrived when the call returns. */
    bool hidden = to->context != NULL && to->kind == FACET_MEMORY_DEVICE;
    bool later = both && (asynchronous || (hidden && from->kind == FACET_MEMORY_DEVICE));
    if (facet_context_idle(plan->context) && (!later || facet_box_volume(&plan->box) <= FACET_COPY_SMALL))
        return copy_now(plan);
    if (later)
        return post(plan);
    if (to->context != NULL && from->context == NULL && (asynchronous || (hidden && facet_box_volume(&plan->box) <= WRITE_MOST)))
        return send(plan);
    return wait_and_copy(plan);
}

/* Memory of another context is the program's own for this one, once that has come to rest. */
static CUresult estrange(struct facet_side *side, const struct facet_context *context)
{
    struct facet_context *other = side->context;
    if (other == NULL || other == context)
        return CUDA_SUCCESS;
    bool rest = side->kind == FACET_MEMORY_PINNED || facet_context_idle(other);
    *side = (struct facet_side){0};
    return rest ? CUDA_SUCCESS : facet_context_settle(other);
}

/* What lies in another context, and is read or written from here. */
static struct facet_context *touched(const struct plan *plan, const struct facet_side *side)
{
    return side->moves && side->context != plan->context ? side->context : NULL;
}

static CUresult copy_far(struct plan *plan, bool asynchronous)
{
    facet_box_flatten(&plan->box);
    struct facet_far_copy copy = {.box = plan->box,
                                  .destination = plan->destination,
                                  .source = plan->source,
                                  .context = plan->context,
                                  .stream = plan->stream,
                                  .touch = {.first = touched(plan, &plan->destination), .second = touched(plan, &plan->source)},
                                  .asynchronous = asynchronous};
    CUresult result = facet_far_copy(&copy);
    if (!asynchronous)
        facet_output_flush();
    return result;
}

/* The one other context that a copy goes to or comes from; NULL when it is no copy between this one and another that the host can do. */
static struct facet_context *partner(const struct plan *plan)
{
    const struct facet_side *to = &plan->destination, *from = &plan->source;
    const struct facet_side *other = to->context == plan->context ? from : to;
    bool between = to->context != NULL && from->context != NULL && to->context != from->context &&
                   (to->context == plan->context || from->context == plan->context);
    uint16_t command = plan->box.height == 1 && plan->box.depth == 1 ? FACET_COMMAND_COPY_PEER : FACET_COMMAND_COPY_PEER_BOX;
    return between && other->kind == FACET_MEMORY_DEVICE && facet_command_known(command) ? other->context : NULL;
}

static CUresult post_peer(const struct plan *plan, const struct facet_context *peer)
{
    const struct facet_box *box = &plan->box;
    uint64_t to = plan->destination.address, from = plan->source.address;
    bool to_peer = plan->destination.context == peer;
    if (box->height == 1 && box->depth == 1)
        return facet_post_copy_peer(plan->context, to, from, box->width, plan->stream, peer->object.id, to_peer);
    return facet_post_copy_peer_box(plan->context, to, box->destination_pitch, box->destination_slice, from, box->source_pitch, box->source_slice,
                                    box->width, box->height, box->depth, plan->stream, peer->object.id, to_peer);
}

/* The host copies, in the order of the stream. What another device does meanwhile an asynchronous copy does not wait for. */
static CUresult copy_peer(const struct plan *plan, struct facet_context *peer, bool asynchronous)
{
    CUresult result = asynchronous ? CUDA_SUCCESS : facet_context_settle(peer);
    if (result == CUDA_SUCCESS)
        result = post_peer(plan, peer);
    return result == CUDA_SUCCESS && !asynchronous ? facet_stream_wait(plan->context, plan->stream) : result;
}

CUresult facet_copy(struct facet_box box, bool per_thread, CUstream stream, bool asynchronous)
{
    struct plan plan = {.box = box};
    CUresult result = facet_stream_find(stream, per_thread, &plan.context, &plan.stream);
    if (result == CUDA_SUCCESS && facet_capturing(plan.stream) && asynchronous && box.width != 0 && box.height != 0 && box.depth != 0)
        return facet_capture_copy(plan.context, plan.stream, &box);
    if (result == CUDA_SUCCESS)
        result = facet_capture_unsupported(plan.context, plan.stream);
    if (result == CUDA_SUCCESS && !asynchronous)
        result = facet_capture_unsafe();
    if (result != CUDA_SUCCESS || box.width == 0 || box.height == 0 || box.depth == 0)
        return result;
    result = facet_box_sides(&plan.box, &plan.destination, &plan.source);
    facet_side_in(&plan.destination, plan.context);
    facet_side_in(&plan.source, plan.context);
    if (result == CUDA_SUCCESS && (plan.destination.far || plan.source.far))
        return copy_far(&plan, asynchronous);
    plan.touch.first = plan.destination.moves ? plan.destination.context : NULL;
    plan.touch.second = plan.source.moves && plan.source.context != plan.touch.first ? plan.source.context : NULL;
    if (result == CUDA_SUCCESS) {
        facet_box_flatten(&plan.box);
        struct facet_context *peer = partner(&plan);
        if (peer != NULL) {
            result = copy_peer(&plan, peer, asynchronous);
            if (!asynchronous)
                facet_output_flush();
            return result;
        }
        result = estrange(&plan.destination, plan.context);
    }
    if (result == CUDA_SUCCESS)
        result = estrange(&plan.source, plan.context);
    if (result != CUDA_SUCCESS)
        return result;
    result = run(&plan, asynchronous);
    /* Where the program waits it sees what kernels printed, also when there was nothing to wait for. */
    if (!asynchronous)
        facet_output_flush();
    return result;
}
