package facet.node.pool;

import facet.doors.control.ControlException;
import facet.slices.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What this node has, and what it makes of it for others. Any thread. */
public interface Lender {
    /** Its devices, as they are now. */
    List<DeviceNews> devices();

    /** Programs that use its devices. */
    int sessions();

    /**
     * A slice for another node.
     *
     * @param wish the name that it would have
     * @return the name that it has
     */
    String make(String node, String wish, Settings settings) throws ControlException;

    void change(String slice, Settings settings) throws ControlException;

    /** Begins to end it. */
    void remove(String slice);

    /** Whether it is there: an administrator may have deleted it. */
    boolean isThere(String slice);

    /** Where its programs come in. */
    Path socket(String slice) throws IOException;
}
