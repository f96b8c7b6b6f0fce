package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program: reads abi/tables, writes abi/target/generated. */
public final class Generate {
    private static final String PROGRAM = "java abi/generator/facet/abi/generate/Generate.java";
    private static final String WRITE_DOCS = "--write-docs";

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
        CommandTable commands = CommandTable.read(tables.resolve("commands.table"), records);
        Pins pins = Pins.read(tables.resolve("pinned.table"));
        pins.check(records, commands);
        TypeTable types = TypeTable.read(tables.resolve("types.table"));
        ApiTable driver = ApiTable.read(tables.resolve("driver.table"), "CUresult");
        ApiTable runtime = ApiTable.read(tables.resolve("runtime.table"), "cudaError_t");
        TypeTable nvmlTypes = TypeTable.read(tables.resolve("nvml-types.table"));
        ApiTable nvml = ApiTable.read(tables.resolve("nvml.table"), "nvmlReturn_t");

        Output c = new Output(module.resolve("target/generated/c"));
        c.write("facet_records.h", RecordsHeader.text(records));
        c.write("facet_commands.h", CommandsHeader.text(commands));
        c.write("facet_wire.h", Digests.c(commands));
        CudaDriver.write(driver, types, c);
        CudaRuntime.write(runtime, c);
        Nvml.write(nvml, nvmlTypes, c);
        c.write("facet_cuda_layout.c", CudaLayoutProgram.text(types));
        c.write("facet_layout.c", LayoutProgram.text(records, commands));
        c.removeOthers();

        Output java = new Output(module.resolve("target/generated/java/facet/abi"));
        RecordsJava.write(records, java);
        CommandsJava.write(commands, java);
        java.write("CommandHandler.java", DispatcherJava.handler(commands));
        java.write("Dispatcher.java", DispatcherJava.dispatcher(commands));
        java.write("Wire.java", Digests.java(commands));
        EnumsJava.write(types, java);
        java.removeOthers();

        keep(tables.resolve("pinned.table"), pins.text(records, commands), writeDocs);
        String coverage =
                Coverage.text(
                        List.of(
                                new Coverage.Chapter("Driver API, libcuda.so.1", driver),
                                new Coverage.Chapter(
                                        "Runtime API, libcudart.so.12 and .13", runtime),
                                new Coverage.Chapter("NVML, libnvidia-ml.so.1", nvml)));
        keep(module.resolve("../docs/cuda-coverage.md").normalize(), coverage, writeDocs);
    }

    /** What is committed beside the tables; the build tells when it is not what they say. */
    private static void keep(Path file, String text, boolean write) throws IOException {
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return;
        }
        if (!write) {
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
