#include "preload.h"

#include <string.h>

/* Whether a library is named: names are separated by white space and colons, # begins a comment. */
static bool names(const char *text, const char *library)
{
    static const char SEPARATORS[] = " \t\r\n:";
    size_t wanted = strlen(library);
    while (*text != 0) {
        text += strspn(text, SEPARATORS);
        if (*text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        size_t length = strcspn(text, " \t\r\n:#");
        if (length == wanted && memcmp(text, library, wanted) == 0) {
            return true;
        }
        text += length;
    }
    return false;
}

bool preload_merge(const char *image, const char *library, struct facet_text *merged)
{
    if (names(image, library)) {
        return false;
    }
    facet_text_add(merged, image);
    if (merged->length > 0 && merged->bytes[merged->length - 1] != '\n') {
        facet_text_add(merged, "\n");
    }
    facet_text_add(merged, library);
    facet_text_add(merged, "\n");
    return true;
}
