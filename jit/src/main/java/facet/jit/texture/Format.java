package facet.jit.texture;

/** What one channel of an element is. */
public enum Format {
    U8(1, 0x10da),
    U16(2, 0x10db),
    U32(4, 0x10dc),
    S8(1, 0x10d7),
    S16(2, 0x10d8),
    S32(4, 0x10d9),
    F16(2, 0x10dd),
    F32(4, 0x10de);

    private final int bytes;
    private final int number;

    Format(int bytes, int number) {
        this.bytes = bytes;
        this.number = number;
    }

    public int bytes() {
        return bytes;
    }

    /** What {@code txq.channel_data_type} answers: the number that OpenCL gave it. */
    int number() {
        return number;
    }

    boolean isFloat() {
        return this == F16 || this == F32;
    }

    /** Whether it can be read as a fraction of its largest value. */
    boolean isFraction() {
        return bytes < 4 && this != F16;
    }
}
