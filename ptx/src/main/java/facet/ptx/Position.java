package facet.ptx;

/**
 * Where something stands in the PTX text, both counted from 1.
 *
 * <p>All positions are equal to each other: the IR compares by content, so that {@code
 * parse(print(m)) equals m} can be stated plainly although the layout of the text differs.
 */
public record Position(int line, int column) {
    public static final Position NONE = new Position(0, 0);

    @Override
    public boolean equals(Object other) {
        return other instanceof Position;
    }

    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
