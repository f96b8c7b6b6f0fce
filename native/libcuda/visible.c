/* CUDA_VISIBLE_DEVICES: which of the slice's devices a program sees, and in which order.
 *
 * Numbers, or UUIDs or their beginnings; which of the two the first entry says. The list ends at the first entry that is
 * no device. A device that is there twice makes the whole list void. Set and empty: none. CUDA_DEVICE_ORDER needs nothing:
 * the devices of a node are equally fast, so the order by speed is that of their places on the bus, which they have. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "device.h"

enum { NONE = -1, UUID_TEXT = 48 };

static const char PREFIX[] = "GPU-";

static void uuid_text(const struct facet_device_record *record, char text[UUID_TEXT])
{
    size_t at = (size_t)snprintf(text, UUID_TEXT, "%s", PREFIX);
    for (size_t i = 0; i < sizeof record->uuid; i++) {
        bool dash = i == 4 || i == 6 || i == 8 || i == 10;
        at += (size_t)snprintf(text + at, UUID_TEXT - at, "%s%02x", dash ? "-" : "", record->uuid[i]);
    }
}

/* The one device whose UUID begins so; none when there are several. */
static int by_uuid(const struct facet_device_record *devices, int count, const char *entry, size_t length)
{
    int found = NONE;
    if (length <= sizeof PREFIX - 1 || length >= UUID_TEXT)
        return NONE;
    for (int i = 0; i < count; i++) {
        char text[UUID_TEXT];
        uuid_text(&devices[i], text);
        if (strncasecmp(text, entry, length) != 0)
            continue;
        if (found != NONE)
            return NONE;
        found = i;
    }
    return found;
}

/* The digits that an entry begins with; what follows them counts nothing. */
static int by_number(int count, const char *entry, size_t length)
{
    int number = NONE;
    for (size_t i = 0; i < length && isdigit((unsigned char)entry[i]); i++) {
        number = (number == NONE ? 0 : number) * 10 + (entry[i] - '0');
        if (number >= count)
            return NONE;
    }
    return number;
}

int facet_visible_devices(const struct facet_device_record *devices, int count, int *order)
{
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (list == NULL)
        return count;
    int visible = 0;
    bool uuids = strncasecmp(list + strspn(list, " "), PREFIX, sizeof PREFIX - 1) == 0;
    for (const char *entry = list; entry != NULL;) {
        entry += strspn(entry, " ");
        size_t length = strcspn(entry, ",");
        const char *next = entry[length] == ',' ? entry + length + 1 : NULL;
        while (length > 0 && entry[length - 1] == ' ')
            length--;
        int device = uuids ? by_uuid(devices, count, entry, length) : by_number(count, entry, length);
        if (device == NONE)
            return visible;
        for (int i = 0; i < visible; i++) {
            if (order[i] == device)
                return 0;
        }
        order[visible++] = device;
        entry = next;
    }
    return visible;
}
