package facet.doors.control;

import facet.slices.Slice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What container runtimes ask: slices that live as long as a container. */
public interface ContainerOperations {
    /**
     * The slice of a container that is about to start. Asked again it is the same one.
     *
     * @param pid the container's first process, as this machine numbers it
     * @param config text of the bundle's config.json
     * @param kept name of a kept slice that it shall join, instead of getting its own
     * @return empty when the container wants none
     */
    Optional<Operations.Made> startContainer(
            String id, int pid, String config, Optional<String> kept) throws ControlException;

    /**
     * What the hook brings along for programs that have the vendor's driver in them.
     *
     * @param root below which the machine has the driver's files
     * @param libraries folder of the vendor's; empty: where the system has them
     * @param devices device files that the runtime must have made in the container
     */
    record DirectFiles(Path root, Optional<Path> libraries, List<String> devices) {}

    /** For a container's slice; empty where all calls go to the daemon. */
    Optional<DirectFiles> directFiles(Slice slice) throws ControlException;

    /**
     * Device files that a container needs for the direct engine on a device, by where the machine
     * has them and where programs look for them. Refused where containers may not have them.
     *
     * @param device its number
     */
    Map<String, String> deviceFiles(int device) throws ControlException;

    /** False when there was none. */
    boolean endContainer(String id);

    /**
     * @param config text of a config.json; with the hook in it, when a slice is wanted
     */
    record Configured(boolean wanted, String config) {}

    /**
     * @param hook absolute path of facet-hook
     */
    Configured configureContainer(String config, String hook) throws ControlException;
}
