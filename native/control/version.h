#ifndef FACET_VERSION_H
#define FACET_VERSION_H

#define FACET_VERSION "0.1.0"

#endif
