/* Tokens and staging memory of steps that were replaced, or whose executable is gone. A launch that is under way may
 * still use them, so they end when all that was in the ring has. */
#include <stdlib.h>

#include "../callback.h"
#include "../memory.h"
#include "exec.h"

struct ending {
    struct facet_keep keep;
    struct facet_context *context;
    uint64_t unique;
    uint64_t stamp; /* waits for the context that had begun */
    struct ending *next;
};

static struct ending *first;

static void finish(const struct ending *ending)
{
    if (ending->keep.token != 0)
        facet_pending_drop(ending->keep.token);
    if (ending->keep.staging != 0 && ending->context->unique == ending->unique)
        facet_memory_give(ending->context, ending->keep.staging);
    free(ending->keep.transfer);
}

void facet_keep_sweep(void)
{
    for (struct ending **place = &first; *place != NULL;) {
        struct ending *each = *place;
        if (each->context->unique != each->unique || facet_waited(each->context, each->stamp)) {
            *place = each->next;
            finish(each);
            free(each);
        } else {
            place = &each->next;
        }
    }
}

void facet_keep_end(struct facet_context *context, uint64_t unique, struct facet_keep *keep)
{
    if (keep->token == 0 && keep->staging == 0 && keep->transfer == NULL)
        return;
    struct ending *ending = malloc(sizeof *ending);
    if (ending == NULL) /* rather waits than loses it */
        facet_context_settle(context);
    struct ending now = {.keep = *keep, .context = context, .unique = unique, .stamp = atomic_load(&context->waits.begun), .next = first};
    *keep = (struct facet_keep){0};
    if (ending == NULL) {
        finish(&now);
        return;
    }
    *ending = now;
    first = ending;
    facet_keep_sweep();
}
