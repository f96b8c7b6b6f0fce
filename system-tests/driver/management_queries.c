/* NVML: what is told of a device that is not there in silicon, how structs say their version, what is refused. */
/* libraries: none */
#include "management.h"

#include <stdbool.h>
#include <time.h>

enum { OK = 0, INVALID = 2, NO_PERMISSION = 4, NOT_FOUND = 6, TOO_SMALL = 7, TIMEOUT = 10, WRONG_VERSION = 25 };

static unsigned number(const char *name)
{
    unsigned value = ~0u;
    SAME(CALL(name, device, &value), OK);
    REQUIRE(value != ~0u);
    SAME(CALL(name, NULL, &value), INVALID);
    SAME(CALL(name, (void *)(uintptr_t)0x123456789, &value), INVALID);
    SAME(CALL(name, device, NULL), INVALID);
    return value;
}

static void values(void)
{
    unsigned value = 0, other = 0, power = number("nvmlDeviceGetPowerUsage");
    REQUIRE(power >= 25000 && power <= number("nvmlDeviceGetEnforcedPowerLimit"));
    SAME(CALL("nvmlDeviceGetTemperature", device, 0, &value), OK);
    REQUIRE(value >= 20 && value <= 90);
    SAME(CALL("nvmlDeviceGetTemperature", device, 7, &value), INVALID);
    REQUIRE(number("nvmlDeviceGetPerformanceState") == 0);
    REQUIRE(number("nvmlDeviceGetMaxPcieLinkWidth") == 16 && number("nvmlDeviceGetCurrPcieLinkGeneration") == 4);
    REQUIRE(number("nvmlDeviceGetNumGpuCores") >= 64);
    for (int type = 0; type < 4; type++) {
        SAME(CALL("nvmlDeviceGetClockInfo", device, type, &value), OK);
        SAME(CALL("nvmlDeviceGetMaxClockInfo", device, type, &other), OK);
        REQUIRE(value > 0 && value == other);
    }
    SAME(CALL("nvmlDeviceGetClockInfo", device, 4, &value), INVALID);
    SAME(CALL("nvmlDeviceGetClockInfo", device, -1, &value), INVALID);
    SAME(CALL("nvmlDeviceGetEccMode", device, &value, &other), OK);
    REQUIRE(value == 0 && other == 0);
    SAME(CALL("nvmlDeviceGetMigMode", device, &value, &other), OK);
    REQUIRE(value == 0 && other == 0);
    SAME(CALL("nvmlDeviceGetEncoderUtilization", device, &value, &other), OK);
    REQUIRE(value == 0 && other > 0);
    unsigned long long first = 0, second = 0;
    SAME(CALL("nvmlDeviceGetTotalEnergyConsumption", device, &first), OK);
    SAME(CALL("nvmlDeviceGetTotalEnergyConsumption", device, &second), OK);
    REQUIRE(first > 0 && second >= first);
}

static void texts(void)
{
    static const char *const names[] = {"nvmlDeviceGetSerial", "nvmlDeviceGetVbiosVersion", "nvmlDeviceGetBoardPartNumber",
                                        "nvmlDeviceGetInforomImageVersion"};
    char text[64];
    void *same = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SAME(CALL(names[i], device, text, (unsigned)sizeof text), OK);
        REQUIRE(strlen(text) > 0);
        SAME(CALL(names[i], device, text, 3u), TOO_SMALL);
        SAME(CALL(names[i], device, text, 0u), TOO_SMALL);
    }
    SAME(CALL("nvmlDeviceGetSerial", device, text, (unsigned)sizeof text), OK);
    SAME(CALL("nvmlDeviceGetHandleBySerial", text, &same), OK);
    REQUIRE(same == device);
    SAME(CALL("nvmlDeviceGetHandleBySerial", "none", &same), NOT_FOUND);
}

struct temperature {
    unsigned version;
    int sensor, degrees;
};

static void versions(void)
{
    struct temperature temperature = {.version = sizeof temperature | 1u << 24};
    SAME(CALL("nvmlDeviceGetTemperatureV", device, &temperature), OK);
    REQUIRE(temperature.degrees > 0);
    static const unsigned wrong[] = {0, 1, sizeof temperature, sizeof temperature | 2u << 24, ~0u};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        temperature.version = wrong[i];
        SAME(CALL("nvmlDeviceGetTemperatureV", device, &temperature), WRONG_VERSION);
    }
}

struct field {
    unsigned id, scope;
    long long time, latency;
    int type, result;
    union {
        unsigned number;
        unsigned long long large;
    } value;
};

static void fields(void)
{
    struct field fields[] = {{.id = 186}, {.id = 83}, {.id = 91}, {.id = 0x7fffffff}, {.id = 1}};
    SAME(CALL("nvmlDeviceGetFieldValues", device, 5, fields), OK);
    REQUIRE(fields[0].result == OK && fields[0].type == 1 && fields[0].value.number >= 25000);
    REQUIRE(fields[1].result == OK && fields[1].type == 3 && fields[1].value.large > 0);
    REQUIRE(fields[2].result == OK && fields[2].value.number == 0);
    REQUIRE(fields[3].result == 3);
    REQUIRE(fields[4].result == OK && fields[4].value.number == 0);
    SAME(CALL("nvmlDeviceGetFieldValues", device, 0, fields), INVALID);
    SAME(CALL("nvmlDeviceGetFieldValues", device, -1, fields), INVALID);
    SAME(CALL("nvmlDeviceGetFieldValues", device, 1, NULL), INVALID);
}

static void lists(void)
{
    unsigned long set[4];
    unsigned count = 0, clocks[1];
    SAME(CALL("nvmlDeviceGetCpuAffinity", device, 4u, set), OK);
    REQUIRE((set[0] | set[1] | set[2] | set[3]) != 0);
    SAME(CALL("nvmlDeviceGetCpuAffinity", device, 0u, set), INVALID);
    SAME(CALL("nvmlDeviceGetSupportedMemoryClocks", device, &count, NULL), TOO_SMALL);
    REQUIRE(count == 1);
    SAME(CALL("nvmlDeviceGetSupportedMemoryClocks", device, &count, clocks), OK);
    int states[16];
    SAME(CALL("nvmlDeviceGetSupportedPerformanceStates", device, states, (unsigned)sizeof states), OK);
    REQUIRE(states[0] == 0 && states[1] == 32 && states[15] == 32);
    SAME(CALL("nvmlDeviceGetSupportedPerformanceStates", device, states, 3u), TOO_SMALL);
    count = ~0u;
    SAME(CALL("nvmlUnitGetCount", &count), OK);
    REQUIRE(count == 0);
}

struct event {
    void *device;
    unsigned long long type, data;
    unsigned instances[2];
};

static void events(void)
{
    void *set = NULL, *other = NULL;
    struct event event;
    SAME(CALL("nvmlEventSetCreate", &set), OK);
    SAME(CALL("nvmlEventSetCreate", &other), OK);
    SAME(CALL("nvmlDeviceRegisterEvents", device, 8ull, set), OK);
    SAME(CALL("nvmlDeviceRegisterEvents", device, 1ull << 63, set), 3);
    SAME(CALL("nvmlDeviceRegisterEvents", device, 8ull, &event), INVALID);
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    SAME(CALL("nvmlEventSetWait_v2", set, &event, 300u), TIMEOUT);
    clock_gettime(CLOCK_MONOTONIC, &after);
    REQUIRE((after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000 >= 299);
    SAME(CALL("nvmlEventSetWait", set, &event, 0u), TIMEOUT);
    SAME(CALL("nvmlEventSetFree", set), OK);
    SAME(CALL("nvmlEventSetFree", set), INVALID);
    SAME(CALL("nvmlEventSetWait_v2", set, &event, 10u), INVALID);
    SAME(CALL("nvmlEventSetFree", (void *)(uintptr_t)0x10), INVALID);
    SAME(CALL("nvmlEventSetFree", other), OK);
}

static void writes(void)
{
    SAME(CALL("nvmlDeviceSetPowerManagementLimit", device, 100000u), NO_PERMISSION);
    SAME(CALL("nvmlDeviceSetGpuLockedClocks", device, 100u, 200u), NO_PERMISSION);
    SAME(CALL("nvmlDeviceSetComputeMode", device, 2), NO_PERMISSION);
    SAME(CALL("nvmlDeviceSetPersistenceMode", device, 0), NO_PERMISSION);
    SAME(CALL("nvmlDeviceSetMigMode", device, 1u, device), NO_PERMISSION);
}

int main(void)
{
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL);
    unsigned value;
    SAME(CALL("nvmlDeviceSetComputeMode", NULL, 2), 1);
    SAME(CALL("nvmlUnitGetCount", &value), 1);
    SAME(CALL("nvmlInit_v2"), OK);
    SAME(CALL("nvmlDeviceGetHandleByIndex_v2", 0u, &device), OK);
    values();
    texts();
    versions();
    fields();
    lists();
    events();
    writes();
    SAME(CALL("nvmlShutdown"), OK);
    printf("ok queries\n");
    return 0;
}
