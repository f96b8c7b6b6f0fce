#include "slice.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "pool.h"
#include "unruled.h"
#include "vendor.h"
#include "work.h"

enum { LOOK_NANOSECONDS = 100000000, GRANULE = 256 };

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool open_now;
static int visible;
static CUdevice vendors[FACET_VISIBLE_MOST]; /* by the program's number */
static int numbers[FACET_VISIBLE_MOST];      /* likewise: of the slice */
static _Atomic int64_t looked;

static int of_slice(const CUuuid *uuid)
{
    for (int i = 0; i < facet_device_count(); i++)
        if (memcmp(facet_device(i)->uuid, uuid->bytes, sizeof uuid->bytes) == 0)
            return i;
    return -1;
}

static CUresult uuid_of(CUdevice device, CUuuid *uuid)
{
    CUresult result = facet_vendor.cuDeviceGetUuid_v2(uuid, device);
    return result == CUDA_ERROR_NOT_SUPPORTED ? facet_vendor.cuDeviceGetUuid(uuid, device) : result;
}

/* The slice names devices by their UUIDs; CUDA_VISIBLE_DEVICES the vendor's driver has looked at itself. */
static CUresult find_devices(void)
{
    int count = 0;
    CUresult result = facet_vendor.cuDeviceGetCount(&count);
    visible = 0;
    for (int i = 0; result == CUDA_SUCCESS && i < count && visible < FACET_VISIBLE_MOST; i++) {
        CUdevice device;
        CUuuid uuid;
        result = facet_vendor.cuDeviceGet(&device, i);
        if (result == CUDA_SUCCESS)
            result = uuid_of(device, &uuid);
        if (result != CUDA_SUCCESS)
            break;
        int number = of_slice(&uuid);
        if (number >= 0) {
            vendors[visible] = device;
            numbers[visible++] = number;
        }
    }
    if (result != CUDA_SUCCESS) {
        facet_say("the vendor's driver does not tell its devices (error %d)", (int)result);
        return result;
    }
    if (visible == 0) {
        if (count > 0)
            facet_say("none of the vendor's %d devices is one of this slice's; 'facet slice explain' shows which it has", count);
        return CUDA_ERROR_NO_DEVICE;
    }
    return CUDA_SUCCESS;
}

CUresult facet_slice_open(void)
{
    if (atomic_load_explicit(&open_now, memory_order_acquire))
        return facet_session_check();
    facet_session_variable = "FACET_DIRECT_SOCKET";
    facet_session_engine = FACET_ENGINE_DIRECT;
    facet_session_around_fork(facet_work_before_fork, facet_work_after_fork);
    CUresult result = facet_session_open(NULL);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&opening);
    if (!atomic_load(&open_now)) {
        result = find_devices();
        if (result == CUDA_SUCCESS) {
            facet_unruled_refuse(facet_ledger_strict());
            facet_work_start();
            atomic_store_explicit(&open_now, true, memory_order_release);
        }
    }
    pthread_mutex_unlock(&opening);
    return result;
}

/* Costs some nanoseconds, and a system call ten times a second. */
CUresult facet_slice_check(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    int64_t now = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    if (now - atomic_load_explicit(&looked, memory_order_relaxed) > LOOK_NANOSECONDS) {
        atomic_store_explicit(&looked, now, memory_order_relaxed);
        if (facet_session_look())
            facet_unruled_refuse(facet_ledger_strict());
        facet_unruled_tell();
    }
    return facet_session_check();
}

int facet_slice_devices(void)
{
    return atomic_load_explicit(&open_now, memory_order_acquire) ? visible : 0;
}

CUdevice facet_slice_vendor_device(int ordinal)
{
    return vendors[ordinal];
}

int facet_slice_number(CUdevice device)
{
    for (int i = 0; i < facet_slice_devices(); i++)
        if (vendors[i] == device)
            return numbers[i];
    return -1;
}

uint64_t facet_slice_rounded(uint64_t bytes)
{
    return bytes > UINT64_MAX - GRANULE ? UINT64_MAX : (bytes + GRANULE - 1) / GRANULE * GRANULE;
}

CUresult facet_slice_take(int device, uint64_t bytes)
{
    CUresult result = facet_slice_check();
    if (result != CUDA_SUCCESS || bytes == 0)
        return result;
    if (bytes > facet_ledger_limit(device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (facet_ledger_take(device, bytes, 0))
        return CUDA_SUCCESS;
    /* What pools have let go since they were last looked at is there again. */
    facet_pools_settle();
    if (facet_ledger_take(device, bytes, 0))
        return CUDA_SUCCESS;
    if (!facet_command_known(FACET_COMMAND_DIRECT_CLAIM))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return facet_wait_direct_claim(0, bytes, (uint32_t)facet_device_number(device));
}

void facet_slice_give(int device, uint64_t bytes)
{
    if (bytes > 0 && facet_session_alive())
        facet_ledger_release(device, bytes);
}
