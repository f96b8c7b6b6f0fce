package facet.doors.control;

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
