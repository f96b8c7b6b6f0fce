package facet.testkit.filetest;

import facet.device.Launch.Dim;
import facet.testkit.filetest.Filetest.Argument;
import facet.testkit.filetest.Filetest.ErrorExpectation;
import facet.testkit.filetest.Filetest.Expectation;
import facet.testkit.filetest.Filetest.Global;
import facet.testkit.filetest.Filetest.PrintExpectation;
import facet.testkit.filetest.Filetest.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code name grid=2,2 block=32 shared=64 cluster=2 cooperative} and the lines below it. */
final class StepBuilder {
    private final int line;
    private final String kernel;
    private Dim grid = Dim.of(1);
    private Dim block = Dim.of(1);
    private int shared;
    private boolean cooperative;
    private @Nullable Dim cluster;
    final List<Argument> arguments = new ArrayList<>();
    final List<Global> globals = new ArrayList<>();
    final List<Expectation> expectations = new ArrayList<>();
    final List<PrintExpectation> prints = new ArrayList<>();
    @Nullable ErrorExpectation error;

    StepBuilder(int line, String text) {
        this.line = line;
        String[] words = text.split("\\s+", -1);
        kernel = words[0];
        for (int i = 1; i < words.length; i++) {
            int sign = words[i].indexOf('=');
            String value = words[i].substring(sign + 1);
            switch (sign < 0 ? words[i] : words[i].substring(0, sign)) {
                case "grid" -> grid = dim(value);
                case "block" -> block = dim(value);
                case "shared" -> shared = Integer.parseInt(value);
                case "cooperative" -> cooperative = true;
                case "cluster" -> cluster = dim(value);
                default -> throw new IllegalArgumentException("unknown word " + words[i]);
            }
        }
    }

    private static Dim dim(String text) {
        String[] sizes = text.split(",", -1);
        int[] all = {1, 1, 1};
        for (int i = 0; i < sizes.length; i++) {
            all[i] = Integer.parseInt(sizes[i]);
        }
        return new Dim(all[0], all[1], all[2]);
    }

    Step build() {
        return new Step(
                line,
                kernel,
                grid,
                block,
                shared,
                cooperative,
                cluster,
                List.copyOf(arguments),
                List.copyOf(globals),
                List.copyOf(expectations),
                List.copyOf(prints),
                Optional.ofNullable(error));
    }
}
