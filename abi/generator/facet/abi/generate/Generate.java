package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The program: reads abi/tables, writes abi/target/generated. */
public final class Generate {
    private static final String USAGE =
            "usage: java abi/generator/facet/abi/generate/Generate.java [abi folder]";

    private Generate() {}

    public static void main(String[] arguments) throws IOException {
        List<String> rest = List.of(arguments);
        if (rest.size() > 1 || rest.stream().anyMatch(each -> each.startsWith("-"))) {
            System.err.println(USAGE);
            System.exit(2);
        }
        try {
            run(Path.of(rest.isEmpty() ? "abi" : rest.getFirst()));
        } catch (TableError error) {
            System.err.println(error.getMessage());
            System.exit(1);
        }
    }

    static void run(Path module) throws IOException {
        Path tables = module.resolve("tables");
        RecordTable records = RecordTable.read(tables.resolve("records.table"));
        CommandTable commands = CommandTable.read(tables.resolve("commands.table"), records);
        TypeTable types = TypeTable.read(tables.resolve("types.table"));
        ApiTable driver = ApiTable.read(tables.resolve("driver.table"), "CUresult");
        ApiTable runtime = ApiTable.read(tables.resolve("runtime.table"), "cudaError_t");
        TypeTable nvmlTypes = TypeTable.read(tables.resolve("nvml-types.table"));
        ApiTable nvml = ApiTable.read(tables.resolve("nvml.table"), "nvmlReturn_t");

        Output c = new Output(module.resolve("target/generated/c"));
        c.write("facet_records.h", RecordsHeader.text(records));
        c.write("facet_commands.h", CommandsHeader.text(commands));
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
        EnumsJava.write(types, java);
        java.removeOthers();
    }
}
