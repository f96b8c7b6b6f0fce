package facet.ptx;

import java.nio.file.Path;

/**
 * How fast the parser reads what nvcc wrote: run {@code main}, which prints megabytes a second.
 *
 * <p>The samples are put into one module, again and again, until it has ten megabytes.
 */
final class ParserSpeed {
    private ParserSpeed() {}

    public static void main(String[] arguments) {
        String text = large(10_000_000);
        for (int round = 0; round < 12; round++) {
            long start = System.nanoTime();
            Module module = Parser.parse(text);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    "parse %.1f MB/s, %d declarations%n",
                    text.length() / 1e6 / seconds, module.declarations().size());
        }
        Module module = Parser.parse(text);
        for (int round = 0; round < 3; round++) {
            long start = System.nanoTime();
            int length = Printer.print(module).length();
            System.out.printf(
                    "print %.1f MB/s%n", length / 1e3 / ((System.nanoTime() - start) / 1e6));
        }
    }

    static String large(int length) {
        StringBuilder text = new StringBuilder(length + 100_000);
        text.append(".version 9.0\n.target sm_100\n.address_size 64\n");
        while (text.length() < length) {
            for (Path path : Samples.compiled()) {
                String sample = Samples.read(path);
                int header = sample.indexOf('\n', sample.indexOf(".address_size"));
                text.append(sample, header, sample.length());
            }
        }
        return text.toString();
    }
}
