package facet.kube.names;

import java.util.Locale;

/** One line of {@code names.table}. */
record Name(Family family, Where where, String name, Says says, Unit unit) {
    enum Where {
        RESOURCE,
        ANNOTATION,
        LABEL
    }

    /** What it is about. */
    enum Says {
        DEVICES(false),
        MEMORY(false),
        MEMORY_SUM(false),
        COMPUTE(false),
        MOST(false),
        CORES(false),
        CODEC(false),
        RENDER(false),
        BURST(false),
        POLICY(false),
        PRIORITY(false),
        MODEL(true),
        QUEUE(true),
        GANG(true),
        GANG_SIZE(true);

        /** Whether it is about the pod as a whole, and wishes for no device by itself. */
        final boolean ofPod;

        Says(boolean ofPod) {
            this.ofPod = ofPod;
        }
    }

    /** Whether a pod that writes it wants a part of a GPU, and does not only say how. */
    boolean isWish() {
        return !says.ofPod && says != Says.POLICY && says != Says.PRIORITY;
    }

    static Name parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length != 5) {
            throw new IllegalArgumentException(
                    "a line of names has five words, not '" + line + "'");
        }
        return new Name(
                Family.valueOf(words[0].toUpperCase(Locale.ROOT)),
                Where.valueOf(words[1].toUpperCase(Locale.ROOT)),
                words[2],
                Says.valueOf(words[3].toUpperCase(Locale.ROOT).replace('-', '_')),
                Unit.of(words[4]));
    }
}
