#include "steps.h"

#include "../../common/reply.c"
