/* What is not mapped here travels through staging memory, which is: to the device by commands that nobody waits for,
 * from the device by commands that the caller waits for. docs/session-protocol.md, Memory that is far */
#include "far_copy.h"

#include "context.h"
#include "stream.h"

#define PART (UINT64_C(2) << 20) /* so small that many threads copy at once with the staging memory that a session may have */
#define BACK_PART (UINT64_C(16) << 20) /* a round trip each, which may be long */
#define WRITE_MOST UINT64_C(4096) /* data that travels in the command itself */

/* One side of a copy: a context, and the stream there. */
struct place {
    struct facet_context *context;
    struct facet_stream *stream;
};

/* A part that has come from the device, and goes on from here while the next one comes. */
struct arrived {
    struct facet_box box;
    uint64_t staged; /* 0: there is none */
};

typedef CUresult (*part_visitor)(const struct facet_box *part, const struct facet_far_copy *copy, struct arrived *before);

/* Halves a box until its parts are small, and visits them in order. */
static CUresult in_parts(const struct facet_box *box, uint64_t most, part_visitor visit, const struct facet_far_copy *copy, struct arrived *before)
{
    if (facet_box_volume(box) <= most)
        return visit(box, copy, before);
    struct facet_box first = *box, second = *box;
    if (box->depth > 1) {
        first.depth = box->depth / 2;
        second.depth -= first.depth;
        second.destination += first.depth * box->destination_slice;
        second.source += first.depth * box->source_slice;
    } else if (box->height > 1) {
        first.height = box->height / 2;
        second.height -= first.height;
        second.destination += first.height * box->destination_pitch;
        second.source += first.height * box->source_pitch;
    } else {
        first.width = box->width / 2;
        second.width -= first.width;
        second.destination += first.width;
        second.source += first.width;
    }
    CUresult result = in_parts(&first, most, visit, copy, before);
    return result == CUDA_SUCCESS ? in_parts(&second, most, visit, copy, before) : result;
}

/* Another context than the stream's has come to rest before, and what is done there is done in its legacy stream. */
static struct place place_of(const struct facet_side *side, const struct facet_far_copy *copy)
{
    bool here = side->context == copy->context;
    return (struct place){.context = side->context, .stream = here ? copy->stream : NULL};
}

static bool is_line(const struct facet_box *box)
{
    return box->height == 1 && box->depth == 1;
}

/* Rows without gaps, at another address. */
static struct facet_box packed_source(const struct facet_box *box, uint64_t staged)
{
    struct facet_box packed = *box;
    packed.source = staged;
    packed.source_pitch = box->width;
    packed.source_slice = box->width * box->height;
    return packed;
}

static struct facet_box packed_destination(const struct facet_box *box, uint64_t staged)
{
    struct facet_box packed = *box;
    packed.destination = staged;
    packed.destination_pitch = box->width;
    packed.destination_slice = box->width * box->height;
    return packed;
}

static CUresult copy_here(const struct facet_box *box, const struct facet_far_copy *copy)
{
    CUresult result = facet_touch_begin(&copy->touch);
    if (result == CUDA_SUCCESS) {
        facet_box_copy(box);
        facet_touch_end(&copy->touch);
    }
    return result;
}

/* The program may change its data as soon as the call returns: the command gets its own. */
static CUresult send(const struct facet_box *part, const struct facet_far_copy *copy, struct arrived *before)
{
    (void)before;
    struct place place = place_of(&copy->destination, copy);
    uint64_t bytes = facet_box_volume(part), staged;
    if (bytes <= WRITE_MOST && is_line(part) && copy->touch.second == NULL)
        return facet_post_write(place.context, part->destination, place.stream, (const void *)(uintptr_t)part->source, (uint32_t)bytes);
    CUresult result = facet_staging_take(place.context, bytes, &staged);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_box in = packed_destination(part, staged), out = packed_source(part, staged);
    result = copy_here(&in, copy);
    if (result != CUDA_SUCCESS) {
        facet_memory_give(place.context, staged);
        return result;
    }
    result = facet_box_post(place.context, &out, place.stream);
    facet_staging_sent(place.context, staged);
    return result;
}

static CUresult receive_staged(const struct place *place, const struct facet_box *box)
{
    if (is_line(box))
        return facet_wait_read(place->context->object.id, box->destination, box->source, box->width, facet_stream_id(place->stream));
    CUresult result = facet_box_post(place->context, box, place->stream);
    return result == CUDA_SUCCESS ? facet_stream_wait(place->context, place->stream) : result;
}

static CUresult receive(const struct facet_box *part, const struct facet_far_copy *copy, struct arrived *before)
{
    (void)before;
    struct place place = place_of(&copy->source, copy);
    uint64_t staged;
    CUresult result = facet_staging_take(place.context, facet_box_volume(part), &staged);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_box in = packed_destination(part, staged), out = packed_source(part, staged);
    result = receive_staged(&place, &in);
    if (result == CUDA_SUCCESS)
        result = copy_here(&out, copy);
    facet_memory_give(place.context, staged);
    return result;
}

static CUresult go_on(struct arrived *before, struct facet_context *context, const struct facet_far_copy *copy)
{
    if (before->staged == 0)
        return CUDA_SUCCESS;
    CUresult result = copy_here(&before->box, copy);
    facet_memory_give(context, before->staged);
    before->staged = 0;
    return result;
}

/* One of several parts. */
static CUresult receive_next(const struct facet_box *part, const struct facet_far_copy *copy, struct arrived *before)
{
    struct place place = place_of(&copy->source, copy);
    uint64_t staged;
    CUresult result = facet_staging_take(place.context, facet_box_volume(part), &staged);
    /* Where many threads copy at once there is not so much for each. */
    if (result != CUDA_SUCCESS && facet_box_volume(part) > PART)
        return in_parts(part, PART, receive_next, copy, before);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_box in = packed_destination(part, staged);
    result = facet_box_post(place.context, &in, place.stream);
    CUresult earlier = go_on(before, place.context, copy);
    if (result == CUDA_SUCCESS)
        result = facet_stream_wait(place.context, place.stream);
    if (result == CUDA_SUCCESS)
        result = earlier;
    if (result != CUDA_SUCCESS) {
        facet_memory_give(place.context, staged);
        return result;
    }
    *before = (struct arrived){.box = packed_source(part, staged), .staged = staged};
    return CUDA_SUCCESS;
}

static CUresult receive_all(const struct facet_far_copy *copy)
{
    struct arrived last = {.staged = 0};
    if (facet_box_volume(&copy->box) <= PART)
        return receive(&copy->box, copy, NULL);
    CUresult result = in_parts(&copy->box, BACK_PART, receive_next, copy, &last);
    CUresult end = go_on(&last, copy->source.context, copy);
    return result == CUDA_SUCCESS ? end : result;
}

/* From one context that is far to another one. */
static CUresult hand_over(const struct facet_box *part, const struct facet_far_copy *copy, struct arrived *before)
{
    (void)before;
    struct place from = place_of(&copy->source, copy);
    uint64_t staged;
    CUresult result = facet_staging_take(from.context, facet_box_volume(part), &staged);
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_box in = packed_destination(part, staged), out = packed_source(part, staged);
    result = receive_staged(&from, &in);
    if (result == CUDA_SUCCESS)
        result = send(&out, copy, NULL);
    facet_memory_give(from.context, staged);
    return result;
}

/* Inside the stream's own context: the host copies, and whoever can see the result waits for it. */
static CUresult copy_inside(const struct facet_far_copy *copy)
{
    struct facet_box box = copy->box;
    box.destination = copy->destination.address;
    box.source = copy->source.address;
    CUresult result = facet_box_post(copy->context, &box, copy->stream);
    bool hidden = copy->destination.kind == FACET_MEMORY_DEVICE && copy->source.kind == FACET_MEMORY_DEVICE;
    return result == CUDA_SUCCESS && !copy->asynchronous && !hidden ? facet_stream_wait(copy->context, copy->stream) : result;
}

/* What the stream has done so far comes before, and what other contexts do. */
static CUresult rest_elsewhere(const struct facet_far_copy *copy, const struct facet_side *side)
{
    struct facet_context *other = side->context;
    if (other == NULL || other == copy->context || side->kind == FACET_MEMORY_PINNED)
        return CUDA_SUCCESS;
    CUresult result = facet_stream_wait(copy->context, copy->stream);
    return result == CUDA_SUCCESS ? facet_context_settle(other) : result;
}

CUresult facet_far_copy(const struct facet_far_copy *copy)
{
    const struct facet_side *to = &copy->destination, *from = &copy->source;
    if (to->context == copy->context && from->context == copy->context)
        return copy_inside(copy);
    CUresult result = rest_elsewhere(copy, to);
    if (result == CUDA_SUCCESS)
        result = rest_elsewhere(copy, from);
    if (result != CUDA_SUCCESS)
        return result;
    if (from->far && !to->far)
        result = receive_all(copy);
    else
        result = in_parts(&copy->box, PART, from->far ? hand_over : send, copy, NULL);
    /* What comes next in the stream is behind it, also where it was done elsewhere. */
    bool elsewhere = to->far && to->context != copy->context;
    return result == CUDA_SUCCESS && elsewhere ? facet_context_settle(to->context) : result;
}
