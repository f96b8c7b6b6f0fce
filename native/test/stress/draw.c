#include "stress.h"

uint64_t stress_mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

uint64_t stress_draw(uint32_t thread, uint32_t number)
{
    return stress_mix(stress.seed + stress_mix((uint64_t)thread << 32 | number));
}
