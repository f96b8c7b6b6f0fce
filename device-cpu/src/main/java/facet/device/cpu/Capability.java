package facet.device.cpu;

import facet.device.DeviceProfile;
import java.util.Arrays;
import java.util.List;

/**
 * What a device of a compute capability is like: the limits of the CUDA programming guide's table,
 * and memory as typical devices have it. Its clock is that of {@code %clock}, which counts
 * nanoseconds, whatever it is.
 */
enum Capability {
    /** As T4. */
    V7_5(7, 5, 1024, 16, 64, 64, 4 << 20, 5_001_000, 256),
    /** As A100. */
    V8_0(8, 0, 2048, 32, 163, 164, 40 << 20, 1_215_000, 5120),
    /** The usual one; a cache and a bus as the machine's own. */
    V8_9(8, 9, 1536, 24, 99, 100, 4 << 20, 1_000_000, 64),
    /** As H100. */
    V9_0(9, 0, 2048, 32, 227, 228, 50 << 20, 2_619_000, 5120),
    /** As RTX 5090. */
    V12_0(12, 0, 1536, 24, 99, 100, 96 << 20, 14_001_000, 512);

    static final Capability USUAL = V8_9;

    private static final int KILOBYTE = 1 << 10;

    private final int major;
    private final int minor;
    private final int threads;
    private final int blocks;
    private final int sharedOptin;
    private final int shared;
    private final int l2;
    private final int memoryKilohertz;
    private final int busBits;

    /**
     * @param threads that a multiprocessor holds
     * @param blocks that it holds
     * @param sharedOptin kilobytes of shared memory that a block may have
     * @param shared kilobytes that a multiprocessor has
     */
    Capability(
            int major,
            int minor,
            int threads,
            int blocks,
            int sharedOptin,
            int shared,
            int l2,
            int memoryKilohertz,
            int busBits) {
        this.major = major;
        this.minor = minor;
        this.threads = threads;
        this.blocks = blocks;
        this.sharedOptin = sharedOptin;
        this.shared = shared;
        this.l2 = l2;
        this.memoryKilohertz = memoryKilohertz;
        this.busBits = busBits;
    }

    /** 8.9 */
    String text() {
        return major + "." + minor;
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(Capability::text).toList();
    }

    static Capability of(String text) {
        return Arrays.stream(values())
                .filter(each -> each.text().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "there is no profile '"
                                        + text
                                        + "'; there are "
                                        + String.join(", ", texts())));
    }

    DeviceProfile profile(String name, long memory, int multiprocessors) {
        return new DeviceProfile(
                name,
                major,
                minor,
                memory,
                multiprocessors,
                1_000_000,
                1024,
                threads,
                blocks,
                48 * KILOBYTE,
                sharedOptin * KILOBYTE,
                shared * KILOBYTE,
                65_536,
                65_536,
                64 * KILOBYTE,
                l2,
                memoryKilohertz,
                busBits);
    }
}
