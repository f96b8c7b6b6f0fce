package facet.node;

import facet.slices.Engine;
import facet.slices.Slice;

/**
 * Which engine a slice's programs use, and why.
 *
 * @param engine direct or forwarded
 * @param reason for people
 */
record EngineChoice(Engine engine, String reason) {
    /**
     * @param software whether this machine's processors are the devices
     * @param container whether the slice is a container's
     */
    static EngineChoice of(Slice slice, boolean software, boolean container) {
        return switch (slice.driving().engine()) {
            case DIRECT ->
                    new EngineChoice(
                            Engine.DIRECT,
                            "the slice says so; it holds honest programs, it is no boundary");
            case FORWARDED -> new EngineChoice(Engine.FORWARDED, "the slice says so");
            case AUTO -> automatic(software, container);
        };
    }

    private static EngineChoice automatic(boolean software, boolean container) {
        if (software) {
            return new EngineChoice(
                    Engine.FORWARDED,
                    "the software GPU has no vendor's driver to work in programs");
        }
        if (container) {
            return new EngineChoice(
                    Engine.FORWARDED,
                    "a container belongs to strangers, and the direct engine is no boundary");
        }
        return new EngineChoice(
                Engine.DIRECT,
                "the devices are a vendor's and the programs this user's own: lowest latency");
    }
}
