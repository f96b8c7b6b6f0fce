package facet.place;

import org.jspecify.annotations.Nullable;

/**
 * What is wanted of each device.
 *
 * @param thousandths of its compute; 1000 is all of it
 * @param memory MiB; {@link #ALL_MEMORY} for as much as the device has
 * @param codec thousandths of what it can encode and decode
 * @param render thousandths of what it can draw
 * @param burst thousandths of compute that may be promised beyond what the device has, up to its
 *     limit: whoever has them gives way first
 * @param part instead of all that: one that the hardware keeps apart, or none
 */
public record Share(
        int thousandths, int memory, int codec, int render, int burst, @Nullable Part part) {
    public static final int ALL_MEMORY = -1;

    static final Share NONE = new Share(0, 0, 0, 0);

    public Share {
        check("compute", thousandths);
        check("codec", codec);
        check("render", render);
        check("burst", burst);
        if (burst > 0 && thousandths > 0) {
            throw new IllegalArgumentException(
                    thousandths
                            + " thousandths and "
                            + burst
                            + " beyond what a device has: a share has either");
        }
        if (part != null && (thousandths | memory | codec | render | burst) != 0) {
            throw new IllegalArgumentException(
                    "part '" + part.profile() + "' with something beside it; it has its own");
        }
        if (memory < ALL_MEMORY) {
            throw new IllegalArgumentException(memory + " MiB of a device's memory");
        }
    }

    /** Nothing beyond what the device has, and no part of hardware. */
    public Share(int thousandths, int memory, int codec, int render) {
        this(thousandths, memory, codec, render, 0, null);
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

    /** Compute beyond what the device has; {@link GivingWay} says who leaves first. */
    public static Share burst(int thousandths) {
        return new Share(0, 0, 0, 0, thousandths, null);
    }

    public static Share part(Part part) {
        return new Share(0, 0, 0, 0, 0, part);
    }

    /** Thousandths of a device that count when somebody asks how much there is of it. */
    int demand() {
        return part == null ? thousandths : part.thousandths();
    }

    /** Whether it wants anything beside compute. */
    boolean isMoreThanCompute() {
        return memory != 0 || codec != 0 || render != 0 || isBeside();
    }

    /** Whether it takes nothing of what others share: beyond it, or apart from it. */
    public boolean isBeside() {
        return burst != 0 || part != null;
    }
}
