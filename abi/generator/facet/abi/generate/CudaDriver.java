package facet.abi.generate;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What libcuda.so.1 is made of, besides what is written by hand. */
final class CudaDriver {
    private CudaDriver() {}

    private static final String PROCS =
            """

            /* What cuGetProcAddress can give, sorted by name and version. A name asked for with a version gives
             * its newest function that is not newer, of the variant asked for if there is one. */
            struct facet_cuda_proc {
                const char *name;
                int since;       /* version of CUDA, 12040 for 12.4 */
                bool per_thread; /* the variant for a default stream per thread */
                const char *symbol;
                void (*function)(void);
            };

            extern const struct facet_cuda_proc facet_cuda_procs[];
            extern const size_t facet_cuda_proc_count;
            """;

    static void write(ApiTable table, TypeTable types, Output c) throws IOException {
        Api api =
                new Api(
                        "cuda",
                        table,
                        List.of(
                                "#include <stdbool.h>",
                                "#include <stddef.h>",
                                "#include <stdint.h>"),
                        "CUresult",
                        "facet_unsupported",
                        "",
                        "CUDA_ERROR_INVALID_VALUE");
        c.write("facet_cuda.h", header(api, types));
        c.write("facet_cuda_stubs.c", api.stubs(table.calls()));
        c.write("facet_cuda_procs.c", procs(table));
        c.write("facet_cuda_errors.c", ErrorNames.text("cuda", types, "CUresult"));
        c.write("libcuda.map", Api.exports("", table.calls(), table.exports()));
    }

    private static String header(Api api, TypeTable types) {
        Text text = api.header();
        TypesHeader.write(text, types);
        api.handWritten(text);
        ErrorNames.declare(text, "cuda", "CUresult");
        text.line(PROCS.stripTrailing());
        text.line().line("/* The library's functions. */");
        for (Call call : api.table().calls()) {
            for (String symbol : call.symbols()) {
                text.line("%s;", call.prototype().declaration(symbol));
            }
        }
        return text.line().line("#endif").toString();
    }

    private record Proc(String name, int since, boolean perThread, String symbol) {}

    private static String procs(ApiTable table) {
        List<Proc> procs =
                table.calls().stream()
                        .flatMap(CudaDriver::procsOf)
                        .sorted(
                                Comparator.comparing(Proc::name)
                                        .thenComparingInt(Proc::since)
                                        .thenComparing(Proc::perThread))
                        .toList();
        Set<String> seen = new HashSet<>();
        Text text = Text.c(table.file());
        text.line("#include \"facet_cuda.h\"").line();
        text.line("const struct facet_cuda_proc facet_cuda_procs[] = {");
        for (Proc proc : procs) {
            if (!seen.add(proc.name() + proc.since() + proc.perThread())) {
                throw new IllegalStateException(
                        table.file() + " has two functions for " + proc.name() + proc.since());
            }
            text.line(
                    "    {\"%s\", %d, %b, \"%s\", (void (*)(void))%s},",
                    proc.name(), proc.since(), proc.perThread(), proc.symbol(), proc.symbol());
        }
        text.line("};").line();
        text.line("const size_t facet_cuda_proc_count = %d;", procs.size());
        return text.toString();
    }

    private static Stream<Proc> procsOf(Call call) {
        Proc plain = new Proc(call.baseName(), call.since(), false, call.symbol());
        return call.hasVariant()
                ? Stream.of(
                        plain,
                        new Proc(call.baseName(), call.variantSince(), true, call.variantSymbol()))
                : Stream.of(plain);
    }
}
