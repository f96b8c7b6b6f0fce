package facet.place;

/**
 * What is wanted of each device.
 *
 * @param thousandths of its compute; 1000 is all of it
 * @param memory MiB; {@link #ALL_MEMORY} for as much as the device has
 * @param codec thousandths of what it can encode and decode
 * @param render thousandths of what it can draw
 */
public record Share(int thousandths, int memory, int codec, int render) {
    public static final int ALL_MEMORY = -1;

    static final Share NONE = new Share(0, 0, 0, 0);

    public Share {
        check("compute", thousandths);
        check("codec", codec);
        check("render", render);
        if (memory < ALL_MEMORY) {
            throw new IllegalArgumentException(memory + " MiB of a device's memory");
        }
    }

    private static void check(String what, int thousandths) {
        if (thousandths < 0 || thousandths > Cluster.WHOLE) {
            throw new IllegalArgumentException(
                    thousandths
                            + " thousandths of a device ("
                            + what
                            + "); there are 0 to "
                            + Cluster.WHOLE);
        }
    }

    public static Share compute(int thousandths) {
        return new Share(thousandths, 0, 0, 0);
    }

    /** Whether it wants anything beside compute. */
    boolean isMoreThanCompute() {
        return memory != 0 || codec != 0 || render != 0;
    }
}
