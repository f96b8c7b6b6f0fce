/* config.json of a bundle gets the hooks by which a container has a slice. */
#ifndef FACET_RUNTIME_BUNDLE_H
#define FACET_RUNTIME_BUNDLE_H

#include <stdbool.h>

/* A container that asks for no slice, or has the hooks already, is left alone. What is wrong is said on standard error. */
bool bundle_prepare(const char *bundle, const char *runtime_directory, const char *hook);

#endif
