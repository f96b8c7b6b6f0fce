package facet.doors.control;

import facet.slices.Settings;
import java.util.List;

/** What can be done with slices that are kept until somebody deletes them. */
public interface SliceOperations {
    /** A new slice, of a name that none has. */
    Change keep(String name, Settings settings) throws ControlException;

    /** Other settings for a slice that is kept; those that are not named stay. Programs run on. */
    Change change(String name, Settings settings) throws ControlException;

    /**
     * @param force also when programs use it; they are ended
     */
    Change delete(String name, boolean force) throws ControlException;

    /**
     * Makes the kept slices what a document says; either all of it or nothing.
     *
     * @param prune delete those that are not in it
     * @param force delete also those that programs use
     * @param dryRun only tell what would happen
     */
    List<Change> apply(String document, boolean prune, boolean force, boolean dryRun)
            throws ControlException;
}
