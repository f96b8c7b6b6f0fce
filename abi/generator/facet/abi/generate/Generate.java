package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The program: reads abi/tables, writes abi/target/generated. */
public final class Generate {
    private static final String PROGRAM = "java abi/generator/facet/abi/generate/Generate.java";
    private static final String WRITE_DOCS = "--write-docs";

    /** A table for each API that programs speak in a session. */
    private static final List<String> VOCABULARIES = List.of("commands.table");

    private Generate() {}

    public static void main(String[] arguments) throws IOException {
        List<String> rest = new ArrayList<>(List.of(arguments));
        boolean writeDocs = rest.remove(WRITE_DOCS);
        if (rest.size() > 1 || rest.stream().anyMatch(each -> each.startsWith("-"))) {
            System.err.println("usage: " + PROGRAM + " [" + WRITE_DOCS + "] [abi folder]");
            System.exit(2);
        }
        try {
            run(Path.of(rest.isEmpty() ? "abi" : rest.getFirst()), writeDocs);
        } catch (TableError error) {
            System.err.println(error.getMessage());
            System.exit(1);
        }
    }

    static void run(Path module, boolean writeDocs) throws IOException {
        Path tables = module.resolve("tables");
        RecordTable records = RecordTable.read(tables.resolve("records.table"));
        List<CommandTable> vocabularies =
                CommandTable.readAll(VOCABULARIES.stream().map(tables::resolve).toList(), records);
        Pins pins = Pins.read(tables.resolve("pinned.table"));
        pins.check(records, vocabularies);
        TypeTable types = TypeTable.read(tables.resolve("types.table"));
        ApiTable driver = ApiTable.read(tables.resolve("driver.table"), "CUresult");
        ApiTable runtime = ApiTable.read(tables.resolve("runtime.table"), "cudaError_t");
        TypeTable nvmlTypes = TypeTable.read(tables.resolve("nvml-types.table"));
        ApiTable nvml = ApiTable.read(tables.resolve("nvml.table"), "nvmlReturn_t");

        Output c = new Output(module.resolve("target/generated/c"));
        c.write("facet_records.h", RecordsHeader.text(records));
        c.write("facet_sending.h", CommandsHeader.sending());
        for (CommandTable table : vocabularies) {
            c(table, c);
        }
        CudaDriver.write(driver, types, c);
        CudaDirect.write(driver, c);
        CudaRuntime.write(runtime, c);
        Nvml.write(nvml, nvmlTypes, c);
        c.write("facet_cuda_layout.c", CudaLayoutProgram.text(types));
        c.write("facet_layout.c", LayoutProgram.text(records, vocabularies));
        c.removeOthers();

        Packages java = new Packages(module.resolve("target/generated/java"));
        RecordsJava.write(records, java.of(Text.SHARED));
        EnumsJava.write(types, java.of(Text.SHARED));
        for (CommandTable table : vocabularies) {
            java(table, java.of(table.vocabulary().javaPackage()));
        }
        MessagesJava.write(
                MessageTable.read(tables.resolve("worker.table")), java.of(MessagesJava.PACKAGE));
        java.removeOthers();

        keep(
                tables.resolve("pinned.table"),
                pins.text(records, vocabularies),
                UnaryOperator.identity(),
                writeDocs);
        List<ApiTable> libraries = List.of(driver, runtime, nvml);
        TestedCalls tests = TestedCalls.read(module.resolve("..").normalize(), libraries);
        String coverage = coverage(libraries, tests);
        keep(
                module.resolve("../docs/cuda-coverage.md").normalize(),
                coverage,
                Coverage::withoutTests,
                writeDocs);
        if (writeDocs) {
            Path table = tables.resolve("untested.table");
            List<String> untested = new ArrayList<>();
            libraries.forEach(each -> untested.addAll(Coverage.untested(each, tests)));
            Files.writeString(table, Untested.text(Untested.read(table), untested));
        }
    }

    /**
     * docs/cuda-coverage.md.
     *
     * @param libraries driver, runtime and NVML
     */
    static String coverage(List<ApiTable> libraries, TestedCalls tests) {
        return Coverage.text(
                List.of(
                        new Coverage.Chapter("Driver API, libcuda.so.1", libraries.get(0)),
                        new Coverage.Chapter(
                                "Runtime API, libcudart.so.12 and .13", libraries.get(1)),
                        new Coverage.Chapter("NVML, libnvidia-ml.so.1", libraries.get(2))),
                tests);
    }

    /** All of a vocabulary that is C. */
    static void c(CommandTable table, Output c) throws IOException {
        c.write(table.headerName(), CommandsHeader.text(table));
        c.write(table.wireName(), Digests.c(table));
    }

    /** All of a vocabulary that is Java. */
    static void java(CommandTable table, Output java) throws IOException {
        CommandsJava.write(table, java);
        DispatcherJava.write(table, java);
        java.write(table.vocabulary().name() + "Wire.java", Digests.java(table));
    }

    /**
     * What is committed beside the tables; the build tells when it is not what they say.
     *
     * @param judged the part of it that the tables decide: what follows from the sources of tests
     *     is judged by a test, so that another test breaks no build
     */
    private static void keep(Path file, String text, UnaryOperator<String> judged, boolean write)
            throws IOException {
        String kept = Files.exists(file) ? Files.readString(file) : "";
        if (kept.equals(text)) {
            return;
        }
        if (!write) {
            if (judged.apply(kept).equals(judged.apply(text))) {
                return;
            }
            throw new TableError(
                    file
                            + " is not what the tables say any more; this writes it: "
                            + PROGRAM
                            + " "
                            + WRITE_DOCS);
        }
        Files.writeString(file, text);
    }
}
