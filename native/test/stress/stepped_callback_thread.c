#include "steps.h"

#include "../../libcuda/callback_thread.c"
