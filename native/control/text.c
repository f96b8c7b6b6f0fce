#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 1024 };

void facet_text_add_bytes(struct facet_text *text, const char *more, size_t bytes)
{
    if (text->failed) {
        return;
    }
    if (text->room - text->length <= bytes) {
        size_t room = text->room == 0 ? FIRST_ROOM : text->room;
        while (room - text->length <= bytes) {
            room *= 2;
        }
        char *grown = realloc(text->bytes, room);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->length, more, bytes);
    text->length += bytes;
    text->bytes[text->length] = 0;
}

void facet_text_add(struct facet_text *text, const char *more)
{
    facet_text_add_bytes(text, more, strlen(more));
}

void facet_text_clear(struct facet_text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->bytes != NULL) {
        text->bytes[0] = 0;
    }
}

void facet_text_free(struct facet_text *text)
{
    free(text->bytes);
    *text = (struct facet_text){0};
}

bool facet_text_read(struct facet_text *text, int descriptor, size_t most)
{
    char part[16384];
    facet_text_add(text, "");
    while (!text->failed) {
        ssize_t got = read(descriptor, part, sizeof part);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        if (text->length + (size_t)got > most) {
            errno = EFBIG;
            return false;
        }
        facet_text_add_bytes(text, part, (size_t)got);
    }
    errno = ENOMEM;
    return false;
}
