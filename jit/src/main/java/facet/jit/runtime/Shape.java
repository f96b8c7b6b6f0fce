package facet.jit.runtime;

/** The shape of a block, and each thread's index in it by linear number. */
public final class Shape {
    public final int x;
    public final int y;
    public final int z;
    public final int threads;
    public final short[] threadX;
    public final short[] threadY;
    public final short[] threadZ;

    public Shape(int x, int y, int z) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.threads = x * y * z;
        this.threadX = new short[threads];
        this.threadY = new short[threads];
        this.threadZ = new short[threads];
        for (int t = 0; t < threads; t++) {
            threadX[t] = (short) (t % x);
            threadY[t] = (short) (t / x % y);
            threadZ[t] = (short) (t / x / y);
        }
    }
}
