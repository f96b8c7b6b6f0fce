package facet.testkit.filetest;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code run [paths]} compares and reports; {@code bless [paths]} writes what was computed into the
 * files. A path is a file or a folder; without any, it is {@code filetests}, and then {@code bless}
 * also writes the page of all instructions.
 */
public final class FiletestMain {
    private static final List<String> ALL = List.of("filetests");

    private final FiletestRunner runner;
    private final boolean bless;
    private final PrintStream out;
    private int passed;
    private int failed;
    private int known;

    FiletestMain(Device device, boolean bless, PrintStream out) {
        this.runner = new FiletestRunner(device);
        this.bless = bless;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        if (args.length == 0 || !args[0].equals("run") && !args[0].equals("bless")) {
            System.err.println("usage: run|bless [file or folder]...");
            System.exit(2);
        }
        List<String> names = List.of(args).subList(1, args.length);
        int status;
        try (Device device = CpuDevice.create()) {
            FiletestMain main = new FiletestMain(device, args[0].equals("bless"), System.out);
            status = main.runAll(names.isEmpty() ? ALL : names);
        }
        Path page = Path.of(InstructionPage.PLACE);
        boolean all = names.isEmpty() || names.equals(ALL);
        if (args[0].equals("bless")
                && all
                && Files.isDirectory(Path.of("docs"))
                && InstructionPage.write(Path.of(ALL.getFirst()), page)) {
            System.out.println(page + ": rewritten");
        }
        System.exit(status);
    }

    /** All files at and below the path. */
    public static List<Path> files(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(each -> each.toString().endsWith(".ptx")).sorted().toList();
        }
    }

    /** The exit code: 0 when every file passes, 1 when not, 2 when there is none. */
    int runAll(List<String> roots) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String root : roots) {
            if (!Files.exists(Path.of(root))) {
                out.println("no such file or folder: " + root);
                return 2;
            }
            files.addAll(files(Path.of(root)));
        }
        if (files.isEmpty()) {
            out.println("no .ptx files in " + String.join(", ", roots));
            return 2;
        }
        for (Path file : files) {
            run(file);
        }
        String tail = known == 0 ? "" : ", " + known + " known to fail";
        out.println(passed + " passed, " + failed + " failed" + tail);
        return failed == 0 ? 0 : 1;
    }

    private void run(Path file) throws IOException {
        String text = Files.readString(file);
        Outcome outcome;
        boolean knownToFail;
        try {
            outcome = runner.run(text);
            knownToFail = FiletestRunner.isKnownToFail(text);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // a header that cannot be read, or a device that made code which the JVM refuses
            failed++;
            out.println(file + ":1: " + e.toString().lines().findFirst().orElse(""));
            return;
        }
        if (outcome.passed()) {
            passed++;
            if (knownToFail) {
                out.println(file + ": passes now; remove its 'fails' line");
            }
        } else if (knownToFail) {
            known++;
        } else if (bless && !outcome.edits().isEmpty()) {
            Files.writeString(file, Bless.apply(text, outcome.edits()));
            passed++;
            out.println(file + ": " + outcome.edits().size() + " expectations rewritten");
        } else {
            failed++;
            outcome.mismatches().forEach(each -> out.println(file + ":" + each));
        }
    }
}
