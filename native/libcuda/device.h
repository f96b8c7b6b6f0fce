#ifndef FACET_DEVICE_H
#define FACET_DEVICE_H

#include "client.h"

/* The record of a device; an error when there is no such device or no session. */
CUresult facet_device_check(CUdevice ordinal, const struct facet_device_record **record);

/* visible.c: what CUDA_VISIBLE_DEVICES says. */
int facet_visible_devices(const struct facet_device_record *devices, int count, int *order);

#endif
