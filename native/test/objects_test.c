/* Handles: wrong, stale and foreign ones are recognised, also when threads make and drop them. */
#include <stdlib.h>

#include "../libcuda/event.h"
#include "../libcuda/stream.h"
#include "check.h"

enum { THREADS = 4, ROUNDS = 20000, HELD = 32 };

static void handles(void)
{
    struct facet_context *context = facet_object_create(FACET_CONTEXT, NULL);
    CHECK_EQUAL(0, context->object.id);
    struct facet_event *event = facet_object_create(FACET_EVENT, context);
    struct facet_stream *stream = facet_object_create(FACET_STREAM, context);
    CHECK(event->object.id != 0);
    CHECK(stream->object.id != 0);
    CHECK(facet_object(event, FACET_EVENT) == event);
    CHECK(facet_object(event, FACET_STREAM) == NULL);
    CHECK(facet_object((char *)event + 8, FACET_EVENT) == NULL);
    CHECK(facet_object(event + 1000000, FACET_EVENT) == NULL);
    CHECK(facet_object(NULL, FACET_EVENT) == NULL);
    CHECK(facet_object((void *)1, FACET_STREAM) == NULL);
    CHECK(facet_object((void *)2, FACET_STREAM) == NULL);
    CHECK(facet_object("text", FACET_MODULE) == NULL);
    facet_object_destroy(event);
    CHECK(facet_object(event, FACET_EVENT) == NULL);
    facet_object_destroy(event); /* twice does no harm */
    struct facet_event *other = facet_object_create(FACET_EVENT, context);
    CHECK_EQUAL(event->object.id, other->object.id); /* the only free one */
    struct facet_event *third = facet_object_create(FACET_EVENT, context);
    CHECK(third != other);
    facet_object_destroy(third);
    facet_object_destroy(other);
    facet_object_destroy(stream);
    facet_object_destroy(context);
}

/* All ids of contexts, then none. */
static void contexts(void)
{
    struct facet_context *all[FACET_CONTEXTS];
    bool seen[FACET_CONTEXTS] = {false};
    for (int i = 0; i < FACET_CONTEXTS; i++) {
        all[i] = facet_object_create(FACET_CONTEXT, NULL);
        CHECK(all[i] != NULL && all[i]->object.id < FACET_CONTEXTS && !seen[all[i]->object.id]);
        seen[all[i]->object.id] = true;
    }
    CHECK(facet_object_create(FACET_CONTEXT, NULL) == NULL);
    for (int i = 0; i < FACET_CONTEXTS; i++)
        facet_object_destroy(all[i]);
}

static void drop(void *object, void *data)
{
    ++*(int *)data;
    facet_object_destroy(object);
}

static void visits(void)
{
    struct facet_context *mine = facet_object_create(FACET_CONTEXT, NULL);
    struct facet_context *other = facet_object_create(FACET_CONTEXT, NULL);
    for (int i = 0; i < 100; i++)
        facet_object_create(FACET_EVENT, i % 4 == 0 ? other : mine);
    int count = 0;
    facet_object_each(FACET_EVENT, mine, drop, &count);
    CHECK_EQUAL(75, count);
    facet_object_each(FACET_EVENT, NULL, drop, &count);
    CHECK_EQUAL(100, count);
    facet_object_destroy(mine);
    facet_object_destroy(other);
}

static void *churn(void *data)
{
    struct facet_event *held[HELD] = {0};
    unsigned random = *(unsigned *)data;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        struct facet_event **slot = &held[random >> 16 & (HELD - 1)];
        if (*slot == NULL) {
            *slot = facet_object_create(FACET_EVENT, NULL);
            (*slot)->flags = random;
        } else {
            if (facet_object(*slot, FACET_EVENT) == NULL)
                return "lost";
            facet_object_destroy(*slot);
            *slot = NULL;
        }
    }
    for (int i = 0; i < HELD; i++)
        if (held[i] != NULL)
            facet_object_destroy(held[i]);
    return NULL;
}

static void threads(void)
{
    pthread_t running[THREADS];
    unsigned seeds[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = i + 1;
        pthread_create(&running[i], NULL, churn, &seeds[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        void *problem;
        pthread_join(running[i], &problem);
        CHECK(problem == NULL);
    }
    int left = 0;
    facet_object_each(FACET_EVENT, NULL, drop, &left);
    CHECK_EQUAL(0, left);
}

int main(void)
{
    handles();
    contexts();
    visits();
    threads();
    return CHECK_RESULT();
}
