package facet.bench;

import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How fast PTX is read, on what nvcc writes. */
final class ParserSpeed implements Measurement {
    private static final int CHARACTERS = 10_500_000;
    private static final int REPETITIONS = 15;
    private static final int WARM_UPS = 5;

    @Override
    public String name() {
        return "parser";
    }

    @Override
    public String about() {
        return "speed of the PTX parser on 10 MB that nvcc wrote";
    }

    @Override
    public Table measure(Options options) throws Exception {
        List<String> texts = PtxCorpus.texts();
        String large = PtxCorpus.concatenate(texts, CHARACTERS);
        List<String> many = new ArrayList<>();
        for (long total = 0; total < CHARACTERS; total += many.getLast().length()) {
            many.add(texts.get(many.size() % texts.size()));
        }
        long characters = many.stream().mapToLong(String::length).sum();
        Table table =
                new Table(name(), "MB/s on PTX of nvcc, " + texts.size() + " files repeated")
                        .column("case", "case")
                        .column("megabytes", "MB")
                        .column("median_mb_per_s", "median")
                        .column("best_mb_per_s", "best");
        row(table, "parse, one module", large.length(), () -> Parser.parse(large));
        row(table, "parse and verify, one module", large.length(), () -> verified(large));
        row(
                table,
                "parse, file by file",
                characters,
                () ->
                        many.stream()
                                .map(Parser::parse)
                                .reduce((first, second) -> second)
                                .orElseThrow());
        return table;
    }

    private static Module verified(String text) {
        Module module = Parser.parse(text);
        Verifier.verify(module);
        return module;
    }

    /** Text of nvcc has one byte a character. */
    private static void row(Table table, String what, long characters, Supplier<Module> action) {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < WARM_UPS + REPETITIONS; i++) {
            long start = System.nanoTime();
            Module module = action.get();
            seconds.add((System.nanoTime() - start) / 1e9);
            if (module.declarations().isEmpty()) {
                table.fail(what + ": an empty module");
            }
        }
        List<Double> settled = seconds.subList(WARM_UPS, seconds.size());
        var row = table.row();
        row.put("case", what);
        row.put("megabytes", characters / 1e6);
        double speed = characters / 1e6 / Statistics.median(settled);
        row.put("median_mb_per_s", speed);
        Figure.atLeast(table, what, speed, 10, " MB/s");
        row.put("best_mb_per_s", characters / 1e6 / Statistics.best(settled));
    }
}
