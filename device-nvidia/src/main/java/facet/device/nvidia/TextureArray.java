package facet.device.nvidia;

import facet.device.TextureDescription;
import facet.device.TextureDescription.Level;
import facet.device.nvidia.foreign.DriverTextures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a texture reads that the driver can only have of an array: the program's elements once more,
 * in the driver's order. They are copied anew before kernels that come after a change. With the
 * lock of {@link NvidiaTextures}.
 */
final class TextureArray {
    private final DriverTextures driver;
    private final DriverTextures.Arrays arrays;
    private final List<Level> levels;
    private final int elementBytes;
    private final long bytes;

    /** Behind these it has changed; where nothing is, long ago. */
    private final List<Marks.Mark> changes = new ArrayList<>();

    private boolean stale = true;
    private Marks.@Nullable Mark brought;
    private long broughtBy;
    private int users;

    /**
     * @param bytes that it takes
     */
    TextureArray(
            DriverTextures driver, TextureDescription description, int elementBytes, long bytes) {
        this.driver = driver;
        this.elementBytes = elementBytes;
        this.bytes = bytes;
        levels = description.levels();
        arrays = driver.create(description);
    }

    DriverTextures.Arrays arrays() {
        return arrays;
    }

    long bytes() {
        return bytes;
    }

    void use() {
        users++;
    }

    /** Whether nobody uses it any more. */
    boolean leave() {
        return --users == 0;
    }

    void destroy() {
        // What a broken driver answers here changes nothing: it goes with its process.
        int _ = driver.destroy(arrays);
    }

    boolean touches(long address, long length) {
        for (Level each : levels) {
            long end = each.address() + TextureSizes.span(each, elementBytes);
            if (address < end && each.address() - address < length) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param behind null: it has changed by now
     */
    void changed(Marks.@Nullable Mark behind) {
        stale = true;
        if (behind != null) {
            changes.add(behind);
        }
    }

    /** Before a kernel of this stream that may read it. */
    void bring(Marks marks, long stream, Batch batch) {
        if (stale) {
            for (Marks.Mark each : changes) {
                batch.keep(each);
                each.awaitIn(stream);
            }
            changes.clear();
            for (int i = 0; i < levels.size(); i++) {
                driver.fill(arrays, i, levels.get(i), elementBytes, stream);
            }
            Marks.Mark mark = marks.next();
            mark.record(stream);
            brought = mark;
            broughtBy = stream;
            stale = false;
        } else if (brought != null && broughtBy != stream) {
            batch.keep(brought);
            brought.awaitIn(stream);
        }
    }
}
