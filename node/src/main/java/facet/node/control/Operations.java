package facet.node.control;

import facet.node.slice.Slice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the control socket can ask of the daemon. Answers are maps that become JSON. */
public interface Operations {
    Map<String, Object> status();

    List<Map<String, Object>> devices();

    List<Map<String, Object>> slices();

    List<Map<String, Object>> sessions();

    /** Device memory of a slice that does not say how much it wants, in bytes. */
    long defaultMemory();

    /** A new slice; its socket. It stays until it is removed. */
    Path create(Slice slice) throws ControlException;

    /** Ends the slice's sessions and removes its folder. */
    void remove(String slice);

    /** Begins the end of the daemon. */
    void stop();
}
