package facet.ptx.rewrite;

/** Blocks in x, y and z. */
public record GridSize(int x, int y, int z) {
    public GridSize {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException("no grid: " + x + " x " + y + " x " + z);
        }
    }

    /**
     * @throws ArithmeticException when a long does not hold it
     */
    public long blocks() {
        return Math.multiplyExact(Math.multiplyExact((long) x, (long) y), (long) z);
    }
}
