package facet.cli.selftest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines that a program printed: a word and numbers. */
record Answer(List<String> lines) {
    /** The number behind a word that is there once. */
    double number(String word) throws IOException {
        List<double[]> all = rows(word);
        if (all.size() != 1 || all.getFirst().length != 1) {
            throw new IOException("a program did not say '" + word + "': " + lines);
        }
        return all.getFirst()[0];
    }

    /** The numbers of all lines that begin with the word. */
    List<double[]> rows(String word) {
        List<double[]> rows = new ArrayList<>();
        for (String each : lines) {
            String[] fields = each.split(" ", -1);
            if (fields[0].equals(word)) {
                rows.add(
                        Arrays.stream(fields, 1, fields.length)
                                .mapToDouble(Double::parseDouble)
                                .toArray());
            }
        }
        return rows;
    }

    /** How long requests took, in milliseconds: the one that only so many are slower than. */
    double latency(double quantile) throws IOException {
        double[] sorted =
                rows("request").stream()
                        .mapToDouble(each -> (each[1] - each[0]) / 1e6)
                        .sorted()
                        .toArray();
        if (sorted.length == 0) {
            throw new IOException("a program served no request");
        }
        return sorted[(int) Math.min(sorted.length - 1, Math.round(quantile * sorted.length))];
    }

    /** Blocks a second between the first and the last sample that was taken between two moments. */
    double rate(long from, long to) throws IOException {
        List<double[]> samples =
                rows("sample").stream().filter(each -> each[0] >= from && each[0] <= to).toList();
        if (samples.size() < 2) {
            throw new IOException("a program got no work done");
        }
        double[] first = samples.getFirst();
        double[] last = samples.getLast();
        return (last[1] - first[1]) / ((last[0] - first[0]) / 1e9);
    }
}
