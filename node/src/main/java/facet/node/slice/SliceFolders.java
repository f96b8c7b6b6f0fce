package facet.node.slice;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** The folders of a node's slices, and which of them containers have mounted. Any thread. */
public final class SliceFolders {
    private final Path parent;

    /** Slices whose folder containers have mounted: it must stay the same one. */
    private final Set<String> mounted;

    private final boolean direct;

    /**
     * @param parent where each slice has its own
     * @param mounted slices whose folder is there already, since containers have it mounted
     * @param direct whether programs of containers may have the vendor's driver in them
     */
    public SliceFolders(Path parent, Set<String> mounted, boolean direct) {
        this.direct = direct;
        this.parent = parent;
        this.mounted = new HashSet<>(mounted);
    }

    /** The one that containers have mounted, or a new one. */
    public synchronized SliceFolder open(String slice) throws IOException {
        return mounted.contains(slice)
                ? SliceFolder.take(parent, slice, direct)
                : SliceFolder.create(parent, slice, direct);
    }

    /** A slice could not be opened: a folder that was made for it goes. */
    public synchronized void giveBack(SliceFolder folder) throws IOException {
        if (!mounted.contains(folder.path().getFileName().toString())) {
            folder.close();
        }
    }

    /** Lets containers mount that of a slice. */
    public synchronized void mount(String slice) throws IOException {
        SliceFolder.letContainersIn(parent.resolve(slice));
        mounted.add(slice);
    }

    public synchronized boolean isMounted(String slice) {
        return mounted.contains(slice);
    }

    /**
     * No container has it mounted any more.
     *
     * @return false when none had
     */
    public synchronized boolean unmount(String slice) {
        return mounted.remove(slice);
    }

    public void delete(String slice) throws IOException {
        SliceFolder.delete(parent.resolve(slice));
    }
}
