package facet.node.container;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.util.List;

/** Other settings for the slice of a container that runs. */
final class SliceChanges {
    private final ContainerSlices slices;
    private final SliceGrants grants;
    private final ContainerFiles files;

    SliceChanges(ContainerSlices slices, SliceGrants grants, ContainerFiles files) {
        this.slices = slices;
        this.grants = grants;
        this.files = files;
    }

    /** What is not named stays. What cannot be kept for the next daemon is taken back. */
    Change perform(Container container, String slice, Settings settings) throws ControlException {
        synchronized (container) {
            ContainerRecord record = container.record();
            Operations.Made made = container.made();
            if (container.isGone() || record == null || made == null) {
                throw new ControlException("the container of slice '" + slice + "' has ended");
            }
            Slice before = made.slice();
            Settings now = record.settings().changed(settings);
            Slice wanted;
            try {
                wanted = now.slice(slice, slices.wholeOfContainer());
            } catch (IllegalArgumentException e) {
                throw new ControlException(String.valueOf(e.getMessage()), e);
            }
            Slice after = slices.changeMounted(wanted);
            if (after.equals(before)) {
                return new Change(slice, Change.Action.UNCHANGED, List.of());
            }
            // With the devices that it has now, for the next daemon.
            ContainerRecord next = record.withSettings(grants.granted(now, after));
            try {
                files.save(next);
            } catch (IOException e) {
                slices.changeMounted(before);
                throw new ControlException(
                        "nothing was changed, since it cannot be kept: " + e.getMessage(), e);
            }
            container.record(next);
            return Change.of(
                    slice,
                    Change.Action.CHANGED,
                    Settings.describe(before, slices.devices()),
                    Settings.describe(after, slices.devices()));
        }
    }
}
