package facet.doors.control;

import facet.slices.Settings;
import facet.slices.Slice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the control socket can ask of the daemon. Answers are maps that become JSON. */
public interface Operations
        extends SliceOperations, ContainerOperations, PodOperations, PoolOperations, Watching {
    Map<String, Object> status();

    List<Map<String, Object>> devices();

    List<Map<String, Object>> slices();

    /** What a slice is, and which engine its programs use and why. */
    Map<String, Object> explain(String slice) throws ControlException;

    List<Map<String, Object>> sessions();

    /** What programs asked for and did not get. */
    List<Map<String, Object>> unsupported();

    /** What a program's slice gets that does not say what it wants. */
    Settings.Whole whole();

    /** A slice that was made. */
    interface Made {
        Slice slice();

        Path socket();
    }

    /**
     * A new slice that is not kept. Its name may get a number behind it. It stays until it is
     * removed.
     *
     * @param user who asks, as the kernel says
     */
    Made create(Slice wanted, String user) throws ControlException;

    /** Of one that is not kept: ends the slice's sessions and removes its folder. */
    void remove(String slice);

    /**
     * Why a slice is where it is, or where one with these settings would go; nothing changes.
     *
     * @param name of one that is there, with no settings; or of one that is not
     */
    Map<String, Object> explainPlace(String name, Settings settings) throws ControlException;

    /** Begins the end of the daemon. */
    void stop();
}
