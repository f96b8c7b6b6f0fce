/* NVML: numbers that a device tells of itself, each within what docs/nvml.md says; wrong handles and places for answers are refused. */
/* libraries: none */
#include "management.h"

#include <unistd.h>

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, WRONG_VERSION = 25 };

/* One number of 32 bits, at least and at most. */
static const struct {
    const char *name;
    unsigned least, most;
} numbers[] = {
    {"nvmlDeviceGetAccountingBufferSize", 1, 100000},
    {"nvmlDeviceGetAccountingMode", 0, 0},
    {"nvmlDeviceGetAdaptiveClockInfoStatus", 0, 0},
    {"nvmlDeviceGetArchitecture", 6, 10},
    {"nvmlDeviceGetBoardId", 0, 0xffff},
    {"nvmlDeviceGetBrand", 0, 0},
    {"nvmlDeviceGetBusType", 2, 2},
    {"nvmlDeviceGetComputeMode", 0, 0},
    {"nvmlDeviceGetCurrPcieLinkWidth", 16, 16},
    {"nvmlDeviceGetDefaultEccMode", 0, 0},
    {"nvmlDeviceGetDisplayActive", 0, 0},
    {"nvmlDeviceGetDisplayMode", 0, 0},
    {"nvmlDeviceGetGpcClkVfOffset", 0, 0},
    {"nvmlDeviceGetGpuMaxPcieLinkGeneration", 4, 4},
    {"nvmlDeviceGetInforomConfigurationChecksum", 0, 0},
    {"nvmlDeviceGetIrqNum", 0, 0},
    {"nvmlDeviceGetMaxMigDeviceCount", 0, 0},
    {"nvmlDeviceGetMaxPcieLinkGeneration", 4, 4},
    {"nvmlDeviceGetMemClkVfOffset", 0, 0},
    {"nvmlDeviceGetMemoryBusWidth", 64, 8192},
    {"nvmlDeviceGetMinorNumber", 0, 63},
    {"nvmlDeviceGetModuleId", 0, 63},
    {"nvmlDeviceGetMultiGpuBoard", 0, 0},
    {"nvmlDeviceGetNumFans", 0, 0},
    {"nvmlDeviceGetPcieLinkMaxSpeed", 4, 4},
    {"nvmlDeviceGetPcieReplayCounter", 0, 0},
    {"nvmlDeviceGetPcieSpeed", 16000, 16000},
    {"nvmlDeviceGetPersistenceMode", 1, 1},
    {"nvmlDeviceGetPowerManagementDefaultLimit", 100000, 1000000},
    {"nvmlDeviceGetPowerManagementLimit", 100000, 1000000},
    {"nvmlDeviceGetPowerManagementMode", 1, 1},
    {"nvmlDeviceGetPowerSource", 0, 0},
    {"nvmlDeviceGetPowerState", 0, 0},
    {"nvmlDeviceGetRetiredPagesPendingStatus", 0, 0},
    {"nvmlDeviceGetVirtualizationMode", 0, 0},
    {"nvmlDeviceIsMigDeviceHandle", 0, 0},
};

static void single_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *name = numbers[i].name;
        unsigned value = ~0u;
        int code = CALL(name, device, &value);
        if (code != OK || value < numbers[i].least || value > numbers[i].most) {
            printf("%s: %d, %u is not in %u to %u\n", name, code, value, numbers[i].least, numbers[i].most);
            exit(1);
        }
        SAME(CALL(name, NULL, &value), INVALID);
        SAME(CALL(name, (void *)(uintptr_t)0x123456789, &value), INVALID);
        SAME(CALL(name, device, NULL), INVALID);
    }
}

/* Two numbers; both are looked at by their sum. */
static void pairs(void)
{
    unsigned one = ~0u, two = ~0u;
    static const char *const idle[] = {"nvmlDeviceGetDecoderUtilization", "nvmlDeviceGetJpgUtilization", "nvmlDeviceGetOfaUtilization"};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        SAME(CALL(idle[i], device, &one, &two), OK);
        REQUIRE(one == 0 && two > 0);
        SAME(CALL(idle[i], device, NULL, &two), INVALID);
    }
    static const char *const offsets[] = {"nvmlDeviceGetGpcClkMinMaxVfOffset", "nvmlDeviceGetMemClkMinMaxVfOffset", "nvmlDeviceGetGspFirmwareMode"};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        one = two = ~0u;
        SAME(CALL(offsets[i], device, &one, &two), OK);
        REQUIRE(one == 0 && two == 0);
        SAME(CALL(offsets[i], device, &one, NULL), INVALID);
    }
    SAME(CALL("nvmlDeviceGetPowerManagementLimitConstraints", device, &one, &two), OK);
    REQUIRE(one > 0 && one < two);
    unsigned rows[4] = {9, 9, 9, 9};
    SAME(CALL("nvmlDeviceGetRemappedRows", device, &rows[0], &rows[1], &rows[2], &rows[3]), OK);
    REQUIRE((rows[0] | rows[1] | rows[2] | rows[3]) == 0);
    unsigned sessions = 9, frames = 9, latency = 9;
    SAME(CALL("nvmlDeviceGetEncoderStats", device, &sessions, &frames, &latency), OK);
    REQUIRE((sessions | frames | latency) == 0);
    unsigned long long reasons = ~0ull, supported = 0;
    static const char *const now[] = {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"};
    static const char *const ever[] = {"nvmlDeviceGetSupportedClocksEventReasons", "nvmlDeviceGetSupportedClocksThrottleReasons"};
    for (int i = 0; i < 2; i++) {
        SAME(CALL(now[i], device, &reasons), OK);
        SAME(CALL(ever[i], device, &supported), OK);
        REQUIRE(supported != 0 && (reasons & ~supported) == 0);
    }
    SAME(CALL("nvmlDeviceGetSupportedEventTypes", device, &supported), OK);
    REQUIRE(supported != 0);
}

/* Numbers that depend on one that is given: the last good one, the first bad one. */
static void chosen(void)
{
    unsigned value = ~0u, other = ~0u, count = 4, clocks[4];
    for (int type = 0; type < 4; type++) {
        unsigned clock = 0;
        SAME(CALL("nvmlDeviceGetClockInfo", device, type, &clock), OK);
        static const char *const names[] = {"nvmlDeviceGetApplicationsClock", "nvmlDeviceGetDefaultApplicationsClock",
                                            "nvmlDeviceGetMaxCustomerBoostClock"};
        for (int i = 0; i < 3; i++) {
            SAME(CALL(names[i], device, type, &value), OK);
            REQUIRE(value == clock);
            SAME(CALL(names[i], device, 4, &value), INVALID);
        }
        SAME(CALL("nvmlDeviceGetClock", device, type, 0, &value), OK);
        REQUIRE(value == clock);
        SAME(CALL("nvmlDeviceGetClock", device, type, 9, &value), INVALID);
        SAME(CALL("nvmlDeviceGetMinMaxClockOfPState", device, type, 0, &value, &other), OK);
        REQUIRE(value == clock && other == clock);
        SAME(CALL("nvmlDeviceGetMinMaxClockOfPState", device, type, 16, &value, &other), INVALID);
    }
    SAME(CALL("nvmlDeviceGetClockInfo", device, 2, &value), OK);
    SAME(CALL("nvmlDeviceGetSupportedGraphicsClocks", device, value, &count, clocks), OK);
    REQUIRE(count == 1 && clocks[0] > 0);
    SAME(CALL("nvmlDeviceGetSupportedGraphicsClocks", device, value + 1, &count, clocks), NOT_FOUND);
    for (int api = 0; api < 2; api++) {
        SAME(CALL("nvmlDeviceGetAPIRestriction", device, api, &value), OK);
        REQUIRE(value == 1);
    }
    SAME(CALL("nvmlDeviceGetAPIRestriction", device, 2, &value), INVALID);
    for (int type = 0; type < 3; type++) {
        SAME(CALL("nvmlDeviceGetEncoderCapacity", device, type, &value), OK);
        REQUIRE(value == 0);
    }
    SAME(CALL("nvmlDeviceGetEncoderCapacity", device, -1, &value), INVALID);
    for (int counter = 0; counter < 2; counter++) {
        SAME(CALL("nvmlDeviceGetPcieThroughput", device, counter, &value), OK);
        REQUIRE(value == 0);
    }
    SAME(CALL("nvmlDeviceGetPcieThroughput", device, 2, &value), INVALID);
    unsigned shutdown = 0, slowdown = 0;
    SAME(CALL("nvmlDeviceGetTemperatureThreshold", device, 0, &shutdown), OK);
    SAME(CALL("nvmlDeviceGetTemperatureThreshold", device, 1, &slowdown), OK);
    REQUIRE(shutdown > slowdown && slowdown > 50);
    SAME(CALL("nvmlDeviceGetTemperatureThreshold", device, -1, &value), INVALID);
    char text[32];
    SAME(CALL("nvmlDeviceGetInforomVersion", device, 0, text, (unsigned)sizeof text), OK);
    REQUIRE(strlen(text) > 0);
    SAME(CALL("nvmlDeviceGetInforomVersion", device, 4, text, (unsigned)sizeof text), INVALID);
    SAME(CALL("nvmlDeviceValidateInforom", device), OK);
    SAME(CALL("nvmlDeviceValidateInforom", NULL), INVALID);
}

static void lists(void)
{
    unsigned count;
    unsigned long long room[16];
    static const char *const empty[] = {"nvmlDeviceGetAccountingPids",
                                        "nvmlDeviceGetEncoderSessions",
                                        "nvmlDeviceGetFBCSessions",
                                        "nvmlDeviceGetGraphicsRunningProcesses",
                                        "nvmlDeviceGetGraphicsRunningProcesses_v2",
                                        "nvmlDeviceGetMPSComputeRunningProcesses",
                                        "nvmlDeviceGetMPSComputeRunningProcesses_v2",
                                        "nvmlDeviceGetMPSComputeRunningProcesses_v3"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        count = 1;
        SAME(CALL(empty[i], device, &count, room), OK);
        REQUIRE(count == 0);
        SAME(CALL(empty[i], device, NULL, room), INVALID);
        SAME(CALL(empty[i], NULL, &count, room), INVALID);
    }
    static const char *const processes[] = {"nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetComputeRunningProcesses_v2"};
    static const size_t words[] = {2, 3}; /* of 8 bytes, that they say of each process */
    static unsigned long long others[3 * 4096];
    for (int i = 0; i < 2; i++) {
        count = 4096;
        SAME(CALL(processes[i], device, &count, others), OK);
        for (unsigned j = 0; j < count; j++)
            REQUIRE((unsigned)others[j * words[i]] != (unsigned)getpid()); /* this one has no context */
    }
    count = 1;
    SAME(CALL("nvmlDeviceGetRetiredPages", device, 0, &count, room), OK);
    REQUIRE(count == 0);
    count = 1;
    SAME(CALL("nvmlDeviceGetRetiredPages_v2", device, 1, &count, room, room), OK);
    REQUIRE(count == 0);
    unsigned char stats[256];
    SAME(CALL("nvmlDeviceGetAccountingStats", device, (unsigned)getpid(), stats), NOT_FOUND);
    unsigned long set[16];
    SAME(CALL("nvmlDeviceGetCpuAffinityWithinScope", device, 16u, set, 0), OK);
    unsigned long any = 0;
    for (int i = 0; i < 16; i++)
        any |= set[i];
    REQUIRE(any != 0);
    SAME(CALL("nvmlDeviceGetCpuAffinityWithinScope", device, 16u, set, 7), INVALID);
    SAME(CALL("nvmlDeviceGetMemoryAffinity", device, 16u, set, 0), OK);
    REQUIRE(set[0] == 1 && set[1] == 0);
    SAME(CALL("nvmlDeviceSetCpuAffinity", device), OK);
    SAME(CALL("nvmlDeviceClearCpuAffinity", device), OK);
    SAME(CALL("nvmlDeviceClearCpuAffinity", NULL), INVALID);
    void *devices[64];
    count = 64;
    SAME(CALL("nvmlSystemGetTopologyGpuSet", 0u, &count, devices), OK);
    REQUIRE(count >= 1 && devices[0] == device);
    unsigned all = count;
    count = 64;
    SAME(CALL("nvmlDeviceGetTopologyNearestGpus", device, 50, &count, devices), OK);
    REQUIRE(count == all - 1);
    int level = 9, board = 0;
    SAME(CALL("nvmlDeviceGetTopologyCommonAncestor", device, device, &level), OK);
    REQUIRE(level == 0);
    SAME(CALL("nvmlDeviceOnSameBoard", device, device, &board), OK);
    REQUIRE(board == 1);
    SAME(CALL("nvmlDeviceGetP2PStatus", device, device, 0, &level), INVALID); /* with itself */
}

static void system_wide(void)
{
    static const char *const none[] = {"nvmlGetBlacklistDeviceCount", "nvmlGetExcludedDeviceCount", "nvmlSystemGetConfComputeGpusReadyState"};
    unsigned count;
    for (int i = 0; i < 3; i++) {
        count = 9;
        SAME(CALL(none[i], &count), OK);
        REQUIRE(count == 0);
        SAME(CALL(none[i], NULL), INVALID);
    }
    count = 9;
    SAME(CALL("nvmlSystemGetHicVersion", &count, NULL), OK);
    REQUIRE(count == 0);
    unsigned old = 0;
    SAME(CALL("nvmlDeviceGetCount", &old), OK);
    REQUIRE(old >= 1);
    int version = 0;
    SAME(CALL("nvmlSystemGetCudaDriverVersion", &version), OK);
    REQUIRE(version >= 12000);
    char text[96];
    SAME(CALL("nvmlSystemGetNVMLVersion", text, (unsigned)sizeof text), OK);
    REQUIRE(strchr(text, '.') != NULL);
    SAME(CALL("nvmlSystemGetProcessName", (unsigned)getpid(), text, (unsigned)sizeof text), OK);
    REQUIRE(strlen(text) > 0);
    unsigned parts[2] = {9, 9};
    SAME(CALL("nvmlSystemGetConfComputeCapabilities", parts), OK);
    REQUIRE(parts[0] == 0 && parts[1] == 0);
    unsigned state[3] = {9, 9, 9};
    SAME(CALL("nvmlSystemGetConfComputeState", state), OK);
    REQUIRE((state[0] | state[1] | state[2]) == 0);
    struct {
        unsigned version;
        char branch[80];
    } branch = {.version = sizeof branch | 1u << 24};
    SAME(CALL("nvmlSystemGetDriverBranch", &branch, 80u), OK);
    REQUIRE(branch.branch[0] == 'r');
    branch.version = 0;
    SAME(CALL("nvmlSystemGetDriverBranch", &branch, 80u), WRONG_VERSION);
}

int main(void)
{
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL);
    unsigned value;
    SAME(CALL("nvmlDeviceGetCount", &value), UNINITIALIZED);
    SAME(CALL("nvmlInitWithFlags", 0u), OK);
    SAME(CALL("nvmlDeviceGetHandleByIndex_v2", 0u, &device), OK);
    single_numbers();
    pairs();
    chosen();
    lists();
    system_wide();
    SAME(CALL("nvmlShutdown"), OK);
    printf("ok numbers\n");
    return 0;
}
