/* What debuggers look for in a driver. There is nothing to debug with: they find zeros, and are told that there is no
 * interface. */
#include <stdint.h>

#define SEEN __attribute__((visibility("default")))

SEEN uint32_t cudbgApiClientPid;
SEEN uint32_t cudbgApiClientRevision;
SEEN uint32_t cudbgAttachHandlerAvailable;
SEEN uint32_t cudbgDebuggerCapabilities;
SEEN uint32_t cudbgDebuggerInitialized;
SEEN uint32_t cudbgDetachSuspendedDevicesMask;
SEEN uint32_t cudbgEnableIntegratedMemcheck;
SEEN uint32_t cudbgEnableLaunchBlocking;
SEEN uint32_t cudbgEnablePreemptionDebugging;
SEEN uint32_t cudbgIpcFlag;
SEEN uint32_t cudbgReportDriverApiErrorFlags;
SEEN uint32_t cudbgResumeForAttachDetach;
SEEN uint32_t cudbgRpcEnabled;
SEEN uint32_t cudbgSessionId;
SEEN uint32_t cudbgUseExternalDebugger;
SEEN uint64_t cudbgReportedDriverApiErrorCode;
SEEN uint64_t cudbgReportedDriverApiErrorFuncNameAddr;
SEEN uint64_t cudbgReportedDriverApiErrorFuncNameSize;
SEEN uint64_t cudbgReportedDriverInternalErrorCode;
SEEN char cudbgInjectionPath[4096];

/* Of CUDBGResult. */
enum { FAILED = 1 };

#define ANSWERS(name)    \
    SEEN int name(void); \
    int name(void)       \
    {                    \
        return FAILED;   \
    }
#define DOES_NOTHING(name) \
    SEEN void name(void);  \
    void name(void) {}

ANSWERS(cudbgGetAPI)
ANSWERS(cudbgGetAPIVersion)
ANSWERS(cudbgMain)
DOES_NOTHING(cudbgApiAttach)
DOES_NOTHING(cudbgApiDetach)
DOES_NOTHING(cudbgApiInit)
DOES_NOTHING(cudbgReportDriverApiError)
DOES_NOTHING(cudbgReportDriverInternalError)
