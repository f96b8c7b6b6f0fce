package facet.host.session;

import facet.host.residency.Residency;
import facet.host.share.Shares;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Where the memory of the contexts of a slice's sessions is. One for all of them.
 *
 * @param devices what is on each of its devices
 * @param priority of its slice at the moment: memory of lower ones leaves a device first
 * @param shares what the sessions share with each other
 */
public record SessionResidency(List<Residency> devices, IntSupplier priority, Shares shares) {
    public SessionResidency {
        devices = List.copyOf(devices);
    }

    public SessionResidency(List<Residency> devices, IntSupplier priority) {
        this(devices, priority, new Shares());
    }

    /** For devices that nobody is promised more of than there is. */
    public static SessionResidency unbounded(int devices) {
        return new SessionResidency(
                java.util.stream.Stream.generate(Residency::unbounded).limit(devices).toList(),
                () -> 0);
    }
}
