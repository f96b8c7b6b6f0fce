package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Launch.Dim;
import facet.jit.runtime.ClusterShape;
import facet.ptx.Function;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel's directives say about its clusters (PTX ISA 11.7): {@code .reqnctapercluster}
 * fixes each extent, {@code .maxclusterrank} bounds the blocks, {@code .explicitcluster} leaves it
 * to the launch to name one. The verifier has seen that no more than 16 blocks are asked for.
 */
record ClusterLimits(@Nullable Dim required, long most, boolean mustBeNamed) {
    static ClusterLimits of(Function kernel) {
        Dim required = null;
        long most = ClusterShape.MOST;
        boolean named = false;
        for (Function.Directive each : kernel.directives()) {
            switch (each.name()) {
                case "reqnctapercluster" ->
                        required =
                                new Dim(
                                        extent(each.values(), 0),
                                        extent(each.values(), 1),
                                        extent(each.values(), 2));
                case "maxclusterrank" -> most = Math.min(most, each.values().getFirst());
                case "explicitcluster" -> named = true;
                default -> {}
            }
        }
        return new ClusterLimits(required, most, named);
    }

    private static int extent(List<Long> values, int axis) {
        return axis < values.size() ? Math.toIntExact(values.get(axis)) : 1;
    }

    /**
     * The cluster of a launch.
     *
     * @param asked by the launch; null: it says nothing
     */
    ClusterShape shape(String kernel, Dim grid, @Nullable Dim asked) {
        if (asked != null && required != null && !asked.equals(required)) {
            throw refused(kernel + " has clusters of " + required + ", not of " + asked);
        }
        Dim cluster = asked != null ? asked : required;
        if (cluster == null) {
            if (mustBeNamed) {
                throw refused(kernel + " must be launched with a cluster (.explicitcluster)");
            }
            return ClusterShape.NONE;
        }
        // Each by itself first: three ints multiplied are more than a long holds.
        boolean good =
                isExtent(cluster.x())
                        && isExtent(cluster.y())
                        && isExtent(cluster.z())
                        && cluster.count() <= most;
        if (!good) {
            throw refused(
                    "a cluster of " + kernel + " has 1 to " + most + " blocks, not " + cluster);
        }
        boolean whole =
                grid.x() % cluster.x() == 0
                        && grid.y() % cluster.y() == 0
                        && grid.z() % cluster.z() == 0;
        if (!whole) {
            throw refused("a grid of " + grid + " blocks has no whole clusters of " + cluster);
        }
        return new ClusterShape(cluster.x(), cluster.y(), cluster.z(), true);
    }

    private static boolean isExtent(int blocks) {
        return blocks >= 1 && blocks <= ClusterShape.MOST;
    }

    private static DeviceException refused(String message) {
        return new DeviceException(DeviceError.INVALID_CLUSTER_SIZE, message);
    }
}
