package facet.jit.texture;

import org.jspecify.annotations.Nullable;

/**
 * Which texture a handle stands for, in one context at one moment. A launch keeps the table of its
 * moment, so that what is destroyed afterwards it can still read.
 *
 * <p>The lowest bits of a handle are its place, the others say which of those that ever had the
 * place is meant. Two levels of small arrays: a change copies one of each.
 */
public final class TextureTable {
    private static final int BITS = 10;
    private static final int PART = 1 << BITS;

    /** Places that there are. */
    public static final int MOST = PART * PART;

    private record Entry(long handle, Texture texture) {}

    public static final TextureTable EMPTY = new TextureTable(new Entry[PART][]);

    private final @Nullable Entry[] @Nullable [] parts;

    private TextureTable(@Nullable Entry[] @Nullable [] parts) {
        this.parts = parts;
    }

    /** What the handle stands for, or null. */
    public @Nullable Texture find(long handle) {
        int place = (int) handle & MOST - 1;
        @Nullable Entry[] part = parts[place >>> BITS];
        if (part == null) {
            return null;
        }
        Entry entry = part[place & PART - 1];
        return entry == null || entry.handle != handle ? null : entry.texture;
    }

    /** Whether another handle has the place that the handle would have. */
    public boolean isTaken(long handle) {
        int place = (int) handle & MOST - 1;
        @Nullable Entry[] part = parts[place >>> BITS];
        return part != null && part[place & PART - 1] != null;
    }

    public TextureTable with(long handle, Texture texture) {
        return changed(handle, new Entry(handle, texture));
    }

    public TextureTable without(long handle) {
        return changed(handle, null);
    }

    private TextureTable changed(long handle, @Nullable Entry entry) {
        int place = (int) handle & MOST - 1;
        @Nullable Entry[] @Nullable [] changed = parts.clone();
        @Nullable Entry[] part = changed[place >>> BITS];
        part = part == null ? new Entry[PART] : part.clone();
        part[place & PART - 1] = entry;
        changed[place >>> BITS] = part;
        return new TextureTable(changed);
    }
}
