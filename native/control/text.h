/* A text that grows. */
#ifndef FACET_TEXT_H
#define FACET_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty one. */
struct facet_text {
    char *bytes; /* ends with 0; NULL as long as nothing was added */
    size_t length;
    size_t room;
    bool failed; /* there was no memory; what was added since is missing */
};

void facet_text_add(struct facet_text *text, const char *more);
void facet_text_add_bytes(struct facet_text *text, const char *more, size_t bytes);
void facet_text_clear(struct facet_text *text);
void facet_text_free(struct facet_text *text);

/* All that a descriptor has; false with errno, EFBIG when it is more than a number of bytes. */
bool facet_text_read(struct facet_text *text, int descriptor, size_t most);

#endif
