package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.util.Optional;

/** The slices of the node, as containers use them. */
public interface ContainerSlices {
    /** How many devices the node has. */
    int devices();

    /** Where the vendor's driver is; empty on the software GPU. */
    Optional<VendorPlaces> vendor();

    /** What a container's slice gets that does not say what it wants. */
    Settings.Whole wholeOfContainer();

    /**
     * A new slice that containers can mount. When its name is taken it gets a number behind it.
     * Refused when the node cannot have it.
     */
    Operations.Made openMounted(Slice wanted) throws ControlException;

    /** In the folder that the daemon before this one has left, as containers have it mounted. */
    Operations.Made reopen(Slice slice) throws ControlException, IOException;

    /** Lets containers mount a slice that is there; empty when there is none of that name. */
    Optional<Operations.Made> mount(String name) throws IOException;

    /** No container has it mounted any more: its folder goes when the daemon ends. */
    void unmount(String name);

    /**
     * Refused when the node cannot have it so.
     *
     * @return what it is then, on its devices
     */
    Slice changeMounted(Slice wanted) throws ControlException;

    /** Ends sessions and removes the folder. */
    void remove(String name);
}
