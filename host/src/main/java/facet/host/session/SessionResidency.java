package facet.host.session;

import facet.host.residency.Residency;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Where the memory of a session's contexts is.
 *
 * @param devices what is on each of its devices
 * @param priority of its slice at the moment: memory of lower ones leaves a device first
 */
public record SessionResidency(List<Residency> devices, IntSupplier priority) {
    public SessionResidency {
        devices = List.copyOf(devices);
    }

    /** For devices that nobody is promised more of than there is. */
    public static SessionResidency unbounded(int devices) {
        return new SessionResidency(
                java.util.stream.Stream.generate(Residency::unbounded).limit(devices).toList(),
                () -> 0);
    }
}
