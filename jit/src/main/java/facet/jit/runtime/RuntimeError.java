package facet.jit.runtime;

/** Errors that the device runtime answers, by the names and numbers of {@code cudaError_t}. */
public enum RuntimeError {
    SUCCESS(0, "cudaSuccess", "no error"),
    INVALID_VALUE(1, "cudaErrorInvalidValue", "invalid argument"),
    MEMORY_ALLOCATION(2, "cudaErrorMemoryAllocation", "out of memory"),
    INVALID_CONFIGURATION(9, "cudaErrorInvalidConfiguration", "invalid configuration argument"),
    LAUNCH_MAX_DEPTH_EXCEEDED(
            65,
            "cudaErrorLaunchMaxDepthExceeded",
            "launch would exceed maximum depth of nested launches"),
    LAUNCH_PENDING_COUNT_EXCEEDED(
            69,
            "cudaErrorLaunchPendingCountExceeded",
            "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    INVALID_DEVICE_FUNCTION(98, "cudaErrorInvalidDeviceFunction", "invalid device function"),
    INVALID_DEVICE(101, "cudaErrorInvalidDevice", "invalid device ordinal"),
    UNSUPPORTED_LIMIT(
            215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"),
    INVALID_RESOURCE_HANDLE(400, "cudaErrorInvalidResourceHandle", "invalid resource handle"),
    LAUNCH_OUT_OF_RESOURCES(
            701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"),
    NOT_SUPPORTED(801, "cudaErrorNotSupported", "operation not supported");

    private final int number;
    private final String title;
    private final String description;

    RuntimeError(int number, String title, String description) {
        this.number = number;
        this.title = title;
        this.description = description;
    }

    public int number() {
        return number;
    }

    /** As an answer where other answers are addresses, handles or counts. */
    public long negative() {
        return -number;
    }

    /** What {@code cudaGetErrorName} says. */
    public String title() {
        return title;
    }

    /** What {@code cudaGetErrorString} says. */
    public String description() {
        return description;
    }
}
