package facet.host.residency;

/**
 * What moved of a slice.
 *
 * @param out allocations that went to host memory
 * @param outBytes of those
 * @param back allocations that came back
 * @param backBytes of those
 */
public record Moves(long out, long outBytes, long back, long backBytes) {
    public static final Moves NONE = new Moves(0, 0, 0, 0);

    static Moves out(long bytes) {
        return new Moves(1, bytes, 0, 0);
    }

    static Moves back(long bytes) {
        return new Moves(0, 0, 1, bytes);
    }

    public Moves plus(Moves other) {
        return new Moves(
                out + other.out,
                outBytes + other.outBytes,
                back + other.back,
                backBytes + other.backBytes);
    }

    public boolean isAny() {
        return out + back > 0;
    }
}
