#include "json.h"

#include <stdint.h>
#include <string.h>

/* The deepest nesting that is followed. */
enum { DEPTH = 200 };

struct reader {
    const char *at;
    const char *end;
};

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != 0) {
        reader->at++;
    }
}

static bool take(struct reader *reader, char expected)
{
    skip_space(reader);
    if (reader->at >= reader->end || *reader->at != expected) {
        return false;
    }
    reader->at++;
    return true;
}

/* Stands at a quote; goes behind the one that ends the string. */
static bool skip_string(struct reader *reader)
{
    for (reader->at++; reader->at < reader->end; reader->at++) {
        if (*reader->at == '\\') {
            reader->at++;
        } else if (*reader->at == '"') {
            reader->at++;
            return true;
        }
    }
    reader->at = reader->end;
    return false;
}

static bool skip_scalar(struct reader *reader)
{
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at != 0 && strchr(",]} \t\r\n", *reader->at) == NULL) {
        reader->at++;
    }
    return reader->at > start;
}

/* Any value: brackets are counted, not matched. */
static bool skip_value(struct reader *reader)
{
    int depth = 0;
    do {
        skip_space(reader);
        if (reader->at >= reader->end) {
            return false;
        }
        char first = *reader->at;
        if (first == '"') {
            if (!skip_string(reader)) {
                return false;
            }
        } else if (first == '{' || first == '[') {
            reader->at++;
            if (++depth > DEPTH) {
                return false;
            }
        } else if (first == '}' || first == ']') {
            reader->at++;
            depth--;
        } else if (depth > 0 && (first == ',' || first == ':')) {
            reader->at++;
        } else if (!skip_scalar(reader)) {
            return false;
        }
    } while (depth > 0);
    return depth == 0;
}

struct facet_json facet_json_of(const char *text)
{
    return (struct facet_json){.start = text, .length = strlen(text)};
}

static bool is_name(struct facet_json quoted, const char *name)
{
    struct facet_text text = {0};
    bool same = facet_json_string(quoted, &text) && strcmp(text.bytes, name) == 0;
    facet_text_free(&text);
    return same;
}

struct facet_json facet_json_member(struct facet_json object, const char *name)
{
    struct facet_json none = {0};
    struct reader reader = {.at = object.start, .end = object.start + object.length};
    if (object.start == NULL || !take(&reader, '{')) {
        return none;
    }
    do {
        skip_space(&reader);
        const char *key = reader.at;
        if (key >= reader.end || *key != '"' || !skip_string(&reader)) {
            return none;
        }
        bool wanted = is_name((struct facet_json){.start = key, .length = (size_t)(reader.at - key)}, name);
        if (!take(&reader, ':')) {
            return none;
        }
        skip_space(&reader);
        const char *value = reader.at;
        if (!skip_value(&reader)) {
            return none;
        }
        if (wanted) {
            return (struct facet_json){.start = value, .length = (size_t)(reader.at - value)};
        }
    } while (take(&reader, ','));
    return none;
}

/* Four hexadecimal digits; -1 when they are none. */
static int32_t hexadecimal(const char *at, const char *end)
{
    int32_t value = 0;
    if (end - at < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        static const char DIGITS[] = "0123456789abcdef";
        char each = at[i] >= 'A' && at[i] <= 'F' ? (char)(at[i] - 'A' + 'a') : at[i];
        const char *digit = each == 0 ? NULL : strchr(DIGITS, each);
        if (digit == NULL) {
            return -1;
        }
        value = value * 16 + (int32_t)(digit - DIGITS);
    }
    return value;
}

static void add_utf8(struct facet_text *text, uint32_t point)
{
    char bytes[4];
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char FIRST[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1;) {
        bytes[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    bytes[0] = (char)(FIRST[length] | point);
    facet_text_add_bytes(text, bytes, length);
}

/* Stands behind \u; goes behind what belongs to it. */
static bool add_escaped(const char **at, const char *end, struct facet_text *text)
{
    int32_t high = hexadecimal(*at, end);
    if (high <= 0) {
        return false;
    }
    *at += 4;
    uint32_t point = (uint32_t)high;
    if (high >= 0xd800 && high < 0xdc00) {
        int32_t low = end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u' ? hexadecimal(*at + 2, end) : -1;
        if (low < 0xdc00 || low >= 0xe000) {
            return false;
        }
        *at += 6;
        point = 0x10000 + (((uint32_t)high - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
    }
    add_utf8(text, point);
    return true;
}

bool facet_json_string(struct facet_json value, struct facet_text *text)
{
    static const char ESCAPES[] = "\"\\/bfnrt";
    static const char MEANINGS[] = "\"\\/\b\f\n\r\t";
    const char *end = value.start + value.length;
    if (value.start == NULL || value.length < 2 || *value.start != '"' || end[-1] != '"') {
        return false;
    }
    facet_text_add(text, "");
    const char *at = value.start + 1;
    for (end--; at < end;) {
        const char *plain = at;
        while (at < end && *at != '\\' && *at != 0) {
            at++;
        }
        facet_text_add_bytes(text, plain, (size_t)(at - plain));
        if (at == end) {
            break;
        }
        if (*at == 0 || ++at >= end || *at == 0) {
            return false;
        }
        char escape = *at++;
        const char *known = strchr(ESCAPES, escape);
        if (known != NULL) {
            facet_text_add_bytes(text, &MEANINGS[known - ESCAPES], 1);
        } else if (escape != 'u' || !add_escaped(&at, end, text)) {
            return false;
        }
    }
    return !text->failed;
}

long facet_json_number(struct facet_json value, long most)
{
    long number = 0;
    if (value.start == NULL || value.length == 0) {
        return -1;
    }
    for (size_t i = 0; i < value.length; i++) {
        int digit = value.start[i] - '0';
        if (digit < 0 || digit > 9 || number > (most - digit) / 10) {
            return -1;
        }
        number = number * 10 + digit;
    }
    return number;
}

bool facet_json_is(struct facet_json value, const char *literal)
{
    return value.start != NULL && value.length == strlen(literal) && memcmp(value.start, literal, value.length) == 0;
}

void facet_json_compact(struct facet_json value, struct facet_text *text)
{
    struct reader reader = {.at = value.start, .end = value.start + value.length};
    while (reader.at < reader.end) {
        const char *part = reader.at;
        if (*part == '"') {
            skip_string(&reader);
        } else if (strchr(" \t\r\n", *part) == NULL || *part == 0) {
            reader.at++;
        } else {
            reader.at++;
            continue;
        }
        facet_text_add_bytes(text, part, (size_t)(reader.at - part));
    }
}
