package facet.device;

/** A typed failure of a device call. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DeviceError error;

    public DeviceException(DeviceError error, String message) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
    }

    public DeviceException(DeviceError error, String message, Throwable cause) {
        super(error.name() + " (" + error.code() + "): " + message, cause);
        this.error = error;
    }

    public DeviceError error() {
        return error;
    }
}
