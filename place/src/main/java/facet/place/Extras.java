package facet.place;

import java.util.Arrays;

/** What is free on devices beside compute; few requests want it. */
final class Extras {
    /** MiB that nobody was promised; less than none where memory is shared. */
    private final long[] memory;

    /** MiB that anybody may have, or {@link Traits#ONCE}. */
    private final int[] shared;

    private final int[] codec;
    private final int[] render;

    /** Thousandths promised beyond what a device has. */
    private final int[] burst;

    /** The bits of slices that hardware parts have; others have nothing of such a device. */
    private final int[] slices;

    Extras(int devices) {
        memory = new long[devices];
        shared = new int[devices];
        codec = new int[devices];
        render = new int[devices];
        burst = new int[devices];
        slices = new int[devices];
        Arrays.fill(codec, Cluster.WHOLE);
        Arrays.fill(render, Cluster.WHOLE);
    }

    void add(int device, Traits traits) {
        memory[device] = traits.deviceMemory();
        shared[device] = traits.shared();
    }

    /** MiB that one more may have. */
    int memory(int device) {
        boolean once = shared[device] == Traits.ONCE || slices[device] != 0;
        return once ? (int) memory[device] : shared[device];
    }

    /** MiB that nobody was promised. */
    long unpromised(int device) {
        return memory[device];
    }

    int codec(int device) {
        return codec[device];
    }

    int render(int device) {
        return render[device];
    }

    int burst(int device) {
        return burst[device];
    }

    int slices(int device) {
        return slices[device];
    }

    /** Whether nobody has anything of the device, compute aside. */
    boolean isUntouched(int device, int size) {
        return memory[device] == size
                && codec[device] == Cluster.WHOLE
                && render[device] == Cluster.WHOLE
                && burst[device] == 0;
    }

    /** A part comes or goes. The first one takes the whole device from the others. */
    void changePart(int device, int mask, int size, int sign) {
        slices[device] += sign * mask;
        boolean free = slices[device] == 0;
        memory[device] = free ? size : 0;
        codec[device] = free ? Cluster.WHOLE : 0;
        render[device] = free ? Cluster.WHOLE : 0;
    }

    /**
     * @param needed MiB, which a share does not always say
     */
    boolean has(int device, Share share, int needed) {
        return needed <= memory(device)
                && share.codec() <= codec[device]
                && share.render() <= render[device];
    }

    /** The same for one that was there before: what is shared may have been promised to others. */
    boolean hasAgain(int device, Share share, int needed) {
        boolean once = shared[device] == Traits.ONCE || slices[device] != 0;
        return (!once || needed <= memory[device])
                && share.codec() <= codec[device]
                && share.render() <= render[device];
    }

    /** Whether so much of it is taken that the share may come back. */
    boolean lacks(int device, Share share, int needed, int size) {
        return needed <= size - memory[device]
                && share.codec() <= Cluster.WHOLE - codec[device]
                && share.render() <= Cluster.WHOLE - render[device]
                && share.burst() <= burst[device];
    }

    void change(int device, Share share, int needed, int sign) {
        burst[device] -= sign * share.burst();
        memory[device] += (long) sign * needed;
        codec[device] += sign * share.codec();
        render[device] += sign * share.render();
    }

    void copy(Extras other, int from, int to) {
        System.arraycopy(other.memory, from, memory, from, to - from);
        System.arraycopy(other.codec, from, codec, from, to - from);
        System.arraycopy(other.render, from, render, from, to - from);
        System.arraycopy(other.burst, from, burst, from, to - from);
        System.arraycopy(other.slices, from, slices, from, to - from);
    }
}
