package facet.device;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A typed failure of a device call. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DeviceError error;
    private final @Nullable String assertion;
    private final @Nullable String lacking;

    public DeviceException(DeviceError error, String message) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
        this.assertion = null;
        this.lacking = null;
    }

    /**
     * @param assertion the line for the program whose kernel's assert failed
     */
    public DeviceException(DeviceError error, String message, String assertion) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
        this.assertion = assertion;
        this.lacking = null;
    }

    public DeviceException(DeviceError error, String message, Throwable cause) {
        super(error.name() + " (" + error.code() + "): " + message, cause);
        this.error = error;
        this.assertion = null;
        this.lacking = null;
    }

    /** For code that needs what the device does not have, by name. */
    public static DeviceException lacking(String what, String message, Throwable cause) {
        return new DeviceException(what, message, cause);
    }

    private DeviceException(String what, String message, Throwable cause) {
        super("not supported: " + message, cause);
        this.error = DeviceError.UNSUPPORTED_PTX;
        this.assertion = null;
        this.lacking = what;
    }

    public DeviceError error() {
        return error;
    }

    /** What a kernel said whose assert failed. */
    public Optional<String> assertion() {
        return Optional.ofNullable(assertion);
    }

    /** An instruction or function that the code needs and the device does not have. */
    public Optional<String> lacking() {
        return Optional.ofNullable(lacking);
    }
}
