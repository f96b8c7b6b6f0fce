package facet.host.stress;

import facet.abi.ReplySlotLayout;

/**
 * The numbers that both sides draw; {@code draw.c} and {@code send.c} have the same.
 *
 * @param longest record, in bytes
 */
record Draws(long seed, int longest) {
    static final int FIXED_BYTES = 32;
    static final long STEP = 0x9e3779b97f4a7c15L;

    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    long draw(int thread, int number) {
        return mix(seed + mix((long) thread << 32 | number));
    }

    int words(long draw) {
        long most =
                Long.remainderUnsigned(draw, 4096) == 0
                        ? longest
                        : Long.remainderUnsigned(draw, 64) == 0 ? 2048 : 256;
        return (int) Long.remainderUnsigned(mix(draw + 1), (most - FIXED_BYTES) / 8 + 1);
    }

    static int result(long draw) {
        return (int) (draw >>> 40);
    }

    static long[] payload(long draw) {
        long[] payload = new long[ReplySlotLayout.PAYLOAD_COUNT];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = mix(draw + i);
        }
        return payload;
    }
}
