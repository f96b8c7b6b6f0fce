package facet.device;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A typed failure of a device call. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DeviceError error;

    @SuppressWarnings("serial") // a list of texts that can be written
    private final List<String> assertions;

    private final @Nullable String lacking;

    public DeviceException(DeviceError error, String message) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
        this.assertions = List.of();
        this.lacking = null;
    }

    /**
     * @param assertions for the program in whose kernel asserts failed: a line for each thread
     */
    public DeviceException(DeviceError error, String message, List<String> assertions) {
        super(error.name() + " (" + error.code() + "): " + message);
        this.error = error;
        this.assertions = List.copyOf(assertions);
        this.lacking = null;
    }

    public DeviceException(DeviceError error, String message, Throwable cause) {
        super(error.name() + " (" + error.code() + "): " + message, cause);
        this.error = error;
        this.assertions = List.of();
        this.lacking = null;
    }

    /** For code that needs what the device does not have, by name. */
    public static DeviceException lacking(String what, String message, Throwable cause) {
        return new DeviceException(what, message, cause);
    }

    private DeviceException(String what, String message, Throwable cause) {
        super("not supported: " + message, cause);
        this.error = DeviceError.UNSUPPORTED_PTX;
        this.assertions = List.of();
        this.lacking = what;
    }

    public DeviceError error() {
        return error;
    }

    /** What the threads of a kernel said whose asserts failed. */
    public List<String> assertions() {
        return assertions;
    }

    /** An instruction or function that the code needs and the device does not have. */
    public Optional<String> lacking() {
        return Optional.ofNullable(lacking);
    }
}
