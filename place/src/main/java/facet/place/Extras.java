package facet.place;

import java.util.Arrays;

/** What is free on devices beside compute; few requests want it. */
final class Extras {
    private final int[] memory;
    private final int[] codec;
    private final int[] render;

    /** Thousandths promised beyond what a device has. */
    private final int[] burst;

    /** The bits of slices that hardware parts have; others have nothing of such a device. */
    private final int[] slices;

    Extras(int devices) {
        memory = new int[devices];
        codec = new int[devices];
        render = new int[devices];
        burst = new int[devices];
        slices = new int[devices];
        Arrays.fill(codec, Cluster.WHOLE);
        Arrays.fill(render, Cluster.WHOLE);
    }

    void add(int device, int mebibytes) {
        memory[device] += mebibytes;
    }

    int memory(int device) {
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
     * @param size MiB that the device has
     */
    boolean has(int device, Share share, int size) {
        return needed(share, size) <= memory[device]
                && share.codec() <= codec[device]
                && share.render() <= render[device];
    }

    /** Whether so much of it is taken that the share may come back. */
    boolean lacks(int device, Share share, int size) {
        return needed(share, size) <= size - memory[device]
                && share.codec() <= Cluster.WHOLE - codec[device]
                && share.render() <= Cluster.WHOLE - render[device]
                && share.burst() <= burst[device];
    }

    void change(int device, Share share, int size, int sign) {
        burst[device] -= sign * share.burst();
        memory[device] += sign * needed(share, size);
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

    static int needed(Share share, int size) {
        return share.memory() == Share.ALL_MEMORY ? size : share.memory();
    }
}
