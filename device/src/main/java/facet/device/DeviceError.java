package facet.device;

/** What can go wrong, with the number that the CUDA driver API gives it. */
public enum DeviceError {
    INVALID_VALUE(1, "an argument is out of range"),
    OUT_OF_MEMORY(2, "not enough device memory"),
    DEINITIALIZED(4, "the device or context is closed"),
    NO_DEVICE(100, "there is no such device"),
    ADDRESS_TAKEN(208, "something else is at these addresses"),
    NO_BINARY(209, "no code for this device"),
    INVALID_PTX(218, "the PTX cannot be compiled"),
    /**
     * The same number as for wrong PTX: it is what CUDA's compiler ends with when a device lacks an
     * instruction. 222 is for PTX of a newer version, which a newer driver would take.
     */
    UNSUPPORTED_PTX(218, "the PTX needs something this device does not have"),
    NOT_FOUND(500, "no such kernel or variable"),
    ILLEGAL_ADDRESS(700, "a kernel accessed memory outside its context"),
    LAUNCH_OUT_OF_RESOURCES(701, "the launch needs more than a block can have"),
    LAUNCH_TIMEOUT(702, "the kernel was stopped"),
    ASSERT(710, "a device-side assert failed"),
    HARDWARE_STACK_ERROR(714, "a kernel's stack overflowed"),
    MISALIGNED_ADDRESS(716, "a kernel accessed memory at an address that is not aligned"),
    LAUNCH_FAILED(719, "a kernel trapped or could not go on"),
    COOPERATIVE_LAUNCH_TOO_LARGE(720, "a cooperative grid does not fit on the device at once"),
    NOT_SUPPORTED(801, "the device cannot do it"),
    INVALID_CLUSTER_SIZE(912, "a launch has a cluster that it cannot have"),
    UNKNOWN(999, "a driver failed in a way that it does not explain");

    private final int code;
    private final String description;

    DeviceError(int code, String description) {
        this.code = code;
        this.description = description;
    }

    /** The CUresult. */
    public int code() {
        return code;
    }

    public String description() {
        return description;
    }

    /** The first one with that number; {@link #UNKNOWN} where there is none. */
    public static DeviceError of(int code) {
        for (DeviceError each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }

    /** Whether CUDA leaves the context unusable after it. */
    public boolean isSticky() {
        return code >= 700
                && this != LAUNCH_OUT_OF_RESOURCES
                && this != COOPERATIVE_LAUNCH_TOO_LARGE
                && this != NOT_SUPPORTED
                && this != INVALID_CLUSTER_SIZE
                && this != UNKNOWN;
    }
}
