package facet.device;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A typed failure of a device call. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DeviceError error;
    private final @Nullable String assertion;

    public DeviceException(DeviceError error, String message) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
        this.assertion = null;
    }

    /**
     * @param assertion the line for the program whose kernel's assert failed
     */
    public DeviceException(DeviceError error, String message, String assertion) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
        this.assertion = assertion;
    }

    public DeviceException(DeviceError error, String message, Throwable cause) {
        super(error.name() + " (" + error.code() + "): " + message, cause);
        this.error = error;
        this.assertion = null;
    }

    public DeviceError error() {
        return error;
    }

    /** What a kernel said whose assert failed. */
    public Optional<String> assertion() {
        return Optional.ofNullable(assertion);
    }
}
