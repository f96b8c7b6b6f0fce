package facet.bench.isolation;

import java.util.List;

/** How much a tenant had done when, in blocks; between two looks it is taken to be even. */
final class Progress {
    private final long[] times;
    private final double[] blocks;

    private Progress(long[] times, double[] blocks) {
        this.times = times;
        this.blocks = blocks;
    }

    /**
     * @param lines of the command {@code work}
     */
    static Progress parse(List<String> lines) {
        String[][] fields =
                lines.stream()
                        .filter(each -> each.startsWith("sample "))
                        .map(each -> each.split(" ", -1))
                        .toArray(String[][]::new);
        long[] times = new long[fields.length];
        double[] blocks = new double[fields.length];
        for (int i = 0; i < fields.length; i++) {
            times[i] = Long.parseLong(fields[i][1]);
            blocks[i] = Long.parseLong(fields[i][2]);
        }
        return new Progress(times, blocks);
    }

    /** Blocks in a second. */
    double rate(long from, long to) {
        return (at(to) - at(from)) / ((to - from) / 1e9);
    }

    private double at(long time) {
        if (times.length == 0) {
            return 0;
        }
        int index = java.util.Arrays.binarySearch(times, time);
        if (index >= 0) {
            return blocks[index];
        }
        int after = -index - 1;
        if (after == 0) {
            return blocks[0];
        }
        if (after == times.length) {
            return blocks[after - 1];
        }
        double part = (double) (time - times[after - 1]) / (times[after] - times[after - 1]);
        return blocks[after - 1] + part * (blocks[after] - blocks[after - 1]);
    }
}
