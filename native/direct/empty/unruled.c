/* libfacet-unruled.so.1 where none was written for the vendor's driver: it has no calls. stubs.h says what the written one is. */
#include "stubs.h"

extern struct facet_unruled_table facet_unruled_table;

__attribute__((visibility("default"))) struct facet_unruled_table facet_unruled_table = {.magic = FACET_UNRULED_MAGIC};
