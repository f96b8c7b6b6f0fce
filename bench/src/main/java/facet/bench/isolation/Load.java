package facet.bench.isolation;

/** What a tenant launches again and again: kernels that take so long when they are alone. */
enum Load {
    MICROS_10("10 us", 4, 10),
    MICROS_200("200 us", 16, 200),
    MILLIS_1("1 ms", 32, 1_000),
    MILLIS_10("10 ms", 64, 10_000),
    MILLIS_50("50 ms", 128, 50_000),
    /** Whoever shares a device with it has to interrupt blocks: each takes 50 ms on one core. */
    LONG_BLOCKS("long blocks", 2 * Runtime.getRuntime().availableProcessors(), 100_000);

    private final String text;
    private final int blocks;
    private final int micros;

    Load(String text, int blocks, int micros) {
        this.text = text;
        this.blocks = blocks;
        this.micros = micros;
    }

    String text() {
        return text;
    }

    int blocks() {
        return blocks;
    }

    int micros() {
        return micros;
    }

    /** How many of them make so much work, but at least one. */
    int kernels(double millis) {
        return Math.max(1, (int) Math.round(millis * 1000 / micros));
    }
}
