package facet.jit.runtime;

/** What {@code cp.reduce.async.bulk} does with each element: atomically, one after the other. */
public enum BulkReduction {
    ADDB32(4),
    ADDB64(8),
    ADDF32(4),
    ADDF64(8),
    ADDF16(2),
    ADDBF16(2),
    MINS32(4),
    MINU32(4),
    MINS64(8),
    MINU64(8),
    MINF16(2),
    MINBF16(2),
    MAXS32(4),
    MAXU32(4),
    MAXS64(8),
    MAXU64(8),
    MAXF16(2),
    MAXBF16(2),
    ANDB32(4),
    ANDB64(8),
    ORB32(4),
    ORB64(8),
    XORB32(4),
    XORB64(8),
    INCU32(4),
    DECU32(4);

    private final int bytes;

    BulkReduction(int bytes) {
        this.bytes = bytes;
    }

    /** Both addresses were checked for all bytes, and are multiples of 16. */
    void apply(long from, long into, int size) {
        for (int i = 0; i < size; i += bytes) {
            switch (bytes) {
                case 2 -> narrow(into + i, AccessUnsafe.getU16(from + i));
                case 4 -> word(into + i, AccessUnsafe.getB32(from + i));
                default -> wide(into + i, AccessUnsafe.getB64(from + i));
            }
        }
    }

    private void narrow(long raw, int value) {
        switch (this) {
            case ADDF16 -> AtomicsUnsafe.addF16(raw, value);
            case MINF16 -> AtomicsUnsafe.minF16(raw, value);
            case MAXF16 -> AtomicsUnsafe.maxF16(raw, value);
            case ADDBF16 -> AtomicsUnsafe.addBF16(raw, value);
            case MINBF16 -> AtomicsUnsafe.minBF16(raw, value);
            default -> AtomicsUnsafe.maxBF16(raw, value);
        }
    }

    private void word(long raw, int value) {
        switch (this) {
            case ADDB32 -> AtomicsUnsafe.addB32(raw, value);
            case ADDF32 -> AtomicsUnsafe.addF32(raw, value);
            case MINS32 -> AtomicsUnsafe.minS32(raw, value);
            case MINU32 -> AtomicsUnsafe.minU32(raw, value);
            case MAXS32 -> AtomicsUnsafe.maxS32(raw, value);
            case MAXU32 -> AtomicsUnsafe.maxU32(raw, value);
            case ANDB32 -> AtomicsUnsafe.andB32(raw, value);
            case ORB32 -> AtomicsUnsafe.orB32(raw, value);
            case XORB32 -> AtomicsUnsafe.xorB32(raw, value);
            case INCU32 -> AtomicsUnsafe.incU32(raw, value);
            default -> AtomicsUnsafe.decU32(raw, value);
        }
    }

    private void wide(long raw, long value) {
        switch (this) {
            case ADDB64 -> AtomicsUnsafe.addB64(raw, value);
            case ADDF64 -> AtomicsUnsafe.addF64(raw, value);
            case MINS64 -> AtomicsUnsafe.minS64(raw, value);
            case MINU64 -> AtomicsUnsafe.minU64(raw, value);
            case MAXS64 -> AtomicsUnsafe.maxS64(raw, value);
            case MAXU64 -> AtomicsUnsafe.maxU64(raw, value);
            case ANDB64 -> AtomicsUnsafe.andB64(raw, value);
            case ORB64 -> AtomicsUnsafe.orB64(raw, value);
            default -> AtomicsUnsafe.xorB64(raw, value);
        }
    }
}
