package facet.jit.texture;

/**
 * One level of a texture, most often the only one.
 *
 * @param address of its first element
 * @param pitch bytes from row to row
 * @param slice bytes from slice to slice: of a volume, or layer to layer, face to face
 * @param width elements of a row, at least 1; so are height and depth
 */
public record Level(long address, long pitch, long slice, int width, int height, int depth) {
    public Level {
        if (width < 1 || height < 1 || depth < 1) {
            throw new IllegalArgumentException("a level of " + width + "x" + height + "x" + depth);
        }
    }

    /** May wrap: what comes out is held against the memory of the launch. */
    long element(int x, int y, int z, int shift) {
        return address + z * slice + y * pitch + ((long) x << shift);
    }

    int most(int axis) {
        return axis == 0 ? width : axis == 1 ? height : depth;
    }
}
