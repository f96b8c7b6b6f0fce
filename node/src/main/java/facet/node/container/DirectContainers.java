package facet.node.container;

import facet.doors.control.ControlException;
import facet.slices.DeviceSet;
import facet.slices.Engine;
import facet.slices.Settings;
import facet.slices.Slice;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Containers whose programs have the vendor's driver in them. Their device files are in their
 * configuration, so that the runtime makes them and its rules of devices let them through; and that
 * is written before there is a slice.
 */
final class DirectContainers {
    private final ContainerSlices slices;
    private final Bounds bounds;

    DirectContainers(ContainerSlices slices, Bounds bounds) {
        this.slices = slices;
        this.bounds = bounds;
    }

    /**
     * What a container gets that has this wish; empty when it is for the other engine. Refused
     * where it cannot have it, or may not.
     */
    Optional<List<DeviceFile>> files(Settings wish) throws ControlException {
        Slice slice =
                bounds.grant(wish, slices.wholeOfContainer())
                        .slice("direct", slices.wholeOfContainer());
        if (slice.driving().engine() != Engine.DIRECT) {
            return Optional.empty();
        }
        return Optional.of(vendor().files(numbers(slice.devices())));
    }

    VendorPlaces vendor() throws ControlException {
        return slices.vendor()
                .orElseThrow(() ->
                        new ControlException(
                                "it asks for the direct engine, and this node has the software GPU,"
                                        + " which has no vendor's driver; leave engine out"));
    }

    private List<Integer> numbers(DeviceSet wanted) throws ControlException {
        if (wanted.isChosen()) {
            List<Integer> numbers = wanted.numbers();
            if (numbers.stream().anyMatch(each -> each < 0 || each >= slices.devices())) {
                throw new ControlException(
                        "it asks for device "
                                + wanted.text()
                                + ", and this node has "
                                + slices.devices());
            }
            return numbers;
        }
        if (wanted.count() == slices.devices()) {
            return IntStream.range(0, wanted.count()).boxed().toList();
        }
        throw new ControlException(
                "a container with the direct engine says which devices it wants, since their files"
                        + " are in it before it has a place: FACET_GPU=0");
    }
}
