/* What is not mapped here travels through staging memory, which is: to the device by commands that nobody waits for,
 * from the device by commands that the caller waits for. docs/session-protocol.md, Memory that is far */
#include "far_copy.h"

#include "context.h"
#include "event.h"
#include "stream.h"

#define PART (UINT64_C(2) << 20) /* so small that many threads copy at once with the staging memory that a session may have */
#define BACK_PART (UINT64_C(4) << 20)
#define WRITE_MOST UINT64_C(4096) /* data that travels in the command itself */

/* One side of a copy: a context, and the stream there. */
struct place {
    struct facet_context *context;
    struct facet_stream *stream;
};

enum { COMING = 4 }; /* parts on their way from the device: a round trip each, which may be long */

/* Parts that come from the device, one behind the other, and go on from here while the next ones come. */
struct arrivals {
    struct place from;
    struct {
        struct facet_box box; /* from staging memory to where it belongs */
        uint64_t staged;
        struct facet_event *event; /* behind it in the stream; NULL: there was none to be had */
    } parts[COMING];
    unsigned first, count;
};

typedef CUresult (*part_visitor)(const struct facet_box *part, const struct facet_far_copy *copy, struct arrivals *arrivals);

/* Halves a box until its parts are small, and visits them in order. */
static CUresult in_parts(const struct facet_box *box, uint64_t most, part_visitor visit, const struct facet_far_copy *copy, struct arrivals *arrivals)
{
    if (facet_box_volume(box) <= most)
        return visit(box, copy, arrivals);
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
    CUresult result = in_parts(&first, most, visit, copy, arrivals);
    return result == CUDA_SUCCESS ? in_parts(&second, most, visit, copy, arrivals) : result;
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
static CUresult send(const struct facet_box *part, const struct facet_far_copy *copy, struct arrivals *arrivals)
{
    (void)arrivals;
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

static CUresult receive(const struct facet_box *part, const struct facet_far_copy *copy, struct arrivals *arrivals)
{
    (void)arrivals;
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

/* Waits for the oldest part, and brings it to where it belongs. result: what went wrong before; then it is only given back. */
static CUresult land(struct arrivals *arrivals, const struct facet_far_copy *copy, CUresult result)
{
    struct facet_context *context = arrivals->from.context;
    unsigned at = arrivals->first;
    struct facet_event *event = arrivals->parts[at].event;
    bool last = arrivals->count == 1;
    arrivals->first = (at + 1) % COMING;
    arrivals->count--;
    /* Behind the last one all of the stream has ended: that is a wait which others count with. */
    CUresult ended = last || event == NULL ? facet_stream_wait(context, arrivals->from.stream)
                                           : facet_wait_event_synchronize(context->object.id, event->object.id);
    if (result == CUDA_SUCCESS)
        result = ended;
    if (result == CUDA_SUCCESS)
        result = copy_here(&arrivals->parts[at].box, copy);
    facet_memory_give(context, arrivals->parts[at].staged);
    return result;
}

static CUresult land_all(struct arrivals *arrivals, const struct facet_far_copy *copy, CUresult result)
{
    while (arrivals->count > 0)
        result = land(arrivals, copy, result);
    return result;
}

/* One of several parts. */
static CUresult receive_next(const struct facet_box *part, const struct facet_far_copy *copy, struct arrivals *arrivals)
{
    struct facet_context *context = arrivals->from.context;
    uint64_t staged;
    CUresult result = arrivals->count == COMING ? land(arrivals, copy, CUDA_SUCCESS) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        return result;
    result = facet_staging_take(context, facet_box_volume(part), &staged);
    if (result != CUDA_SUCCESS && arrivals->count > 0) {
        result = land_all(arrivals, copy, CUDA_SUCCESS);
        if (result == CUDA_SUCCESS)
            result = facet_staging_take(context, facet_box_volume(part), &staged);
        else
            return result;
    }
    /* Where many threads copy at once there is not so much for each. */
    if (result != CUDA_SUCCESS && facet_box_volume(part) > PART)
        return in_parts(part, PART, receive_next, copy, arrivals);
    if (result != CUDA_SUCCESS)
        return result;
    unsigned at = (arrivals->first + arrivals->count) % COMING;
    struct facet_box in = packed_destination(part, staged);
    result = facet_box_post(context, &in, arrivals->from.stream);
    if (result == CUDA_SUCCESS && arrivals->parts[at].event != NULL)
        result = facet_post_event_record(context, arrivals->parts[at].event->object.id, arrivals->from.stream);
    if (result != CUDA_SUCCESS) {
        facet_stream_wait(context, arrivals->from.stream); /* nothing writes there any more */
        facet_memory_give(context, staged);
        return result;
    }
    arrivals->parts[at].box = packed_source(part, staged);
    arrivals->parts[at].staged = staged;
    arrivals->count++;
    return CUDA_SUCCESS;
}

static struct facet_event *make_event(struct facet_context *context)
{
    struct facet_event *event = facet_object_create(FACET_EVENT, context);
    if (event != NULL && facet_post_event_create(context->object.id, event->object.id, FACET_EVENT_NO_TIMING) != CUDA_SUCCESS) {
        facet_object_destroy(event);
        event = NULL;
    }
    return event;
}

static CUresult receive_all(const struct facet_far_copy *copy)
{
    struct arrivals arrivals = {.from = place_of(&copy->source, copy)};
    struct facet_context *context = arrivals.from.context;
    if (facet_box_volume(&copy->box) <= PART)
        return receive(&copy->box, copy, NULL);
    for (int i = 0; i < COMING; i++)
        arrivals.parts[i].event = make_event(context);
    CUresult result = in_parts(&copy->box, BACK_PART, receive_next, copy, &arrivals);
    result = land_all(&arrivals, copy, result);
    for (int i = 0; i < COMING; i++)
        if (arrivals.parts[i].event != NULL) {
            facet_post_event_destroy(context->object.id, arrivals.parts[i].event->object.id);
            facet_object_destroy(arrivals.parts[i].event);
        }
    return result;
}

/* From one context that is far to another one. */
static CUresult hand_over(const struct facet_box *part, const struct facet_far_copy *copy, struct arrivals *arrivals)
{
    (void)arrivals;
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
