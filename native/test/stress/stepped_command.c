#include "steps.h"

#include "../../common/command.c"
