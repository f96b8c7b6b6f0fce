package facet.kube.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A line of a book.
 *
 * @param uid of the pod
 * @param namespace of the pod
 * @param name of the pod
 * @param version the resource version that the pod had; the binding holds for that one alone, so
 *     that a change of the pod voids it
 * @param time when it was written, in seconds since 1970
 */
public record Entry(
        String uid, String namespace, String name, String version, long time, Placed placed) {
    /** A claim's, or one that was read from a pod: nobody is going to bind it. */
    public static final String NO_VERSION = "";

    /** As it is kept, under the pod's uid. */
    record Kept(
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String version,
            long time,
            @Nullable Placed placed) {}

    Kept kept() {
        return new Kept(namespace, name, version, time, placed);
    }

    static Entry of(String uid, Kept kept) {
        return new Entry(
                uid,
                kept.namespace() == null ? "" : kept.namespace(),
                kept.name() == null ? "" : kept.name(),
                kept.version() == null ? NO_VERSION : kept.version(),
                kept.time(),
                kept.placed() == null ? new Placed(null, java.util.Map.of()) : kept.placed());
    }
}
