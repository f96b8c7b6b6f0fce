/* Which library of the program something belongs to, for messages. */
#ifndef FACET_OWNER_H
#define FACET_OWNER_H

#include <stdbool.h>

enum { FACET_OWNER_BYTES = 128 };

/* The file's name of the library that this address lies in. False: it lies in none, or in the program itself. */
bool facet_owner_of(const void *address, char name[FACET_OWNER_BYTES]);

/* One line for each library whose own CUDA runtime asks for the vendor's hidden tables: the library, and what was called in it. */
void facet_owner_of_runtime_tell(void);

#endif
