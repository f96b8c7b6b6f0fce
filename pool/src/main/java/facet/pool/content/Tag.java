package facet.pool.content;

/** 128 bits that stand for a piece of data; only within the scope that made them. */
public record Tag(long high, long low) {
    public static final int BYTES = 2 * Long.BYTES;
}
