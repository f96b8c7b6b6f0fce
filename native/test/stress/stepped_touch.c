#include "steps.h"

#include "../../libcuda/touch.c"
