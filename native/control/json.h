/* As much of JSON as is needed here: where the value of a member is, and the text of a string.
 *
 * Texts come from container engines and from the daemon, who have checked them; a text that is not JSON is not found
 * out in every case, but nothing outside of it is ever looked at. */
#ifndef FACET_JSON_H
#define FACET_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* A value as it stands in the text. */
struct facet_json {
    const char *start; /* NULL: there is none */
    size_t length;
};

/* The value of a member of the object with which a text begins. */
struct facet_json facet_json_member(struct facet_json object, const char *name);

/* The whole of a text that ends with 0. */
struct facet_json facet_json_of(const char *text);

/* Adds the text of a string; false when the value is none, or holds a character 0. */
bool facet_json_string(struct facet_json value, struct facet_text *text);

/* A whole number from 0 to most; -1 when the value is none. */
long facet_json_number(struct facet_json value, long most);

bool facet_json_is(struct facet_json value, const char *literal);

/* Adds a value without the space between its parts. */
void facet_json_compact(struct facet_json value, struct facet_text *text);

#endif
