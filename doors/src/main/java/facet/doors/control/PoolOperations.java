package facet.doors.control;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be asked about the pool of nodes, and done with it. */
public interface PoolOperations {
    /** In which pool this node is, and the other nodes. */
    Map<String, Object> pool();

    /** Devices of the others. */
    List<Map<String, Object>> elsewhere();

    /**
     * Makes a pool.
     *
     * @param listen where others find this node; empty: the usual place
     * @param node its name; empty: the machine's
     */
    Map<String, Object> makePool(Optional<String> listen, Optional<String> node)
            throws ControlException;

    /**
     * Joins one.
     *
     * @param seeds addresses of members
     * @param token the pool's secret
     * @param listen the same; off: this node lends nothing
     */
    Map<String, Object> joinPool(
            List<String> seeds, String token, Optional<String> listen, Optional<String> node)
            throws ControlException;

    /**
     * @param force also when slices are on other nodes
     */
    void leavePool(boolean force) throws ControlException;

    /** Takes no new slices from now on, or takes them again. */
    Map<String, Object> drainPool(boolean drains) throws ControlException;
}
