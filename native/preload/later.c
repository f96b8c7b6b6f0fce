/* Objects that are loaded while the program runs.
 *
 * The dynamic linker calls an empty function (r_brk of <link.h>, for debuggers) when it has mapped
 * new objects, before it relocates them and runs their constructors. We put a jump there. */
#include "later.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "objects.h"
#include "redirect.h"

/* The last object that we have seen: new ones come behind it. The linker's lock is held in here. */
static struct link_map *seen;
static int change = RT_CONSISTENT; /* that is under way */

static void see_all(void)
{
    for (struct link_map *map = _r_debug.r_map; map != NULL; map = map->l_next)
        seen = map;
}

static void look_at_new(void)
{
    while (seen != NULL && seen->l_next != NULL) {
        seen = seen->l_next;
        if (seen->l_name != NULL && strchr(seen->l_name, '/') != NULL)
            facet_object_loaded(seen->l_name, seen->l_name, seen->l_addr);
    }
}

/* The linker says what it is about to do, and then that it has done it. */
static void changed(void)
{
    if (_r_debug.r_state == RT_CONSISTENT && change == RT_ADD)
        look_at_new();
    else if (_r_debug.r_state == RT_CONSISTENT)
        see_all();
    change = _r_debug.r_state;
}

#if defined(__x86_64__)
/* An empty function, and padding up to the next one. */
static bool is_empty(const unsigned char *code)
{
    static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    enum { RETURN = 0xc3, ALIGNMENT = 16 };
    if ((uintptr_t)code % ALIGNMENT != 0)
        return false;
    return code[0] == RETURN || (memcmp(code, endbr, sizeof endbr) == 0 && code[4] == RETURN);
}
#else
static bool is_empty(const unsigned char *code)
{
    (void)code;
    return false;
}
#endif

void facet_watch_loads(void)
{
    unsigned char *code = (unsigned char *)_r_debug.r_brk;
    see_all();
    if (code != NULL && is_empty(code))
        facet_redirect_one(code, changed);
}
