package facet.place;

import java.util.Arrays;

/** What is free on devices beside compute; few requests want it. */
final class Extras {
    private final int[] memory;
    private final int[] codec;
    private final int[] render;

    Extras(int devices) {
        memory = new int[devices];
        codec = new int[devices];
        render = new int[devices];
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
                && share.render() <= Cluster.WHOLE - render[device];
    }

    void change(int device, Share share, int size, int sign) {
        memory[device] += sign * needed(share, size);
        codec[device] += sign * share.codec();
        render[device] += sign * share.render();
    }

    void copy(Extras other, int from, int to) {
        System.arraycopy(other.memory, from, memory, from, to - from);
        System.arraycopy(other.codec, from, codec, from, to - from);
        System.arraycopy(other.render, from, render, from, to - from);
    }

    static int needed(Share share, int size) {
        return share.memory() == Share.ALL_MEMORY ? size : share.memory();
    }
}
