package facet.abi.generate;

import java.io.IOException;
import java.util.List;

/** What libcudart.so.12 and .13 are made of, and what the preloaded library redirects to. */
final class CudaRuntime {
    private CudaRuntime() {}

    private static final List<String> VERSIONS = List.of("12", "13");

    static void write(ApiTable table, Output c) throws IOException {
        Api api =
                new Api(
                        "cudart",
                        table,
                        List.of(
                                "#include <stdbool.h>",
                                "#include <stddef.h>",
                                "#include \"types.h\""),
                        "cudaError_t",
                        "facet_cudart_unsupported",
                        "",
                        "cudaErrorInvalidValue");
        c.write("facet_cudart.h", header(api));
        for (String version : VERSIONS) {
            List<Call> calls = table.calls().stream().filter(call -> call.isIn(version)).toList();
            c.write("facet_cudart_stubs_" + version + ".c", api.stubs(calls));
            c.write("facet_cudart_redirects_" + version + ".c", redirects(table, version, calls));
            c.write(
                    "libcudart.so." + version + ".map",
                    Api.exports("libcudart.so." + version, calls, table.exports()));
        }
    }

    private static String header(Api api) {
        Text text = api.header();
        api.handWritten(text);
        text.line();
        text.line("/* For programs that have a runtime of their own inside: what to jump to. */");
        text.line("struct facet_cudart_redirect {");
        text.line("    const char *name;");
        text.line("    void (*function)(void);");
        text.line("};");
        for (String version : VERSIONS) {
            text.line();
            text.line(
                    "extern const struct facet_cudart_redirect facet_cudart_redirects_%s[];",
                    version);
            text.line("extern const size_t facet_cudart_redirect_count_%s;", version);
        }
        return text.line().line("#endif").toString();
    }

    /** Sorted by name. The functions are those of the library, under names of their own. */
    private static String redirects(ApiTable table, String version, List<Call> calls) {
        List<String> symbols =
                calls.stream().flatMap(call -> call.symbols().stream()).sorted().toList();
        Text text = Text.c(table.file());
        text.line("#define FACET_EXPORT static");
        text.line("#define FACET_ENTRY(name) facet_%s_##name", version);
        text.line("#include \"facet_cudart_stubs_%s.c\"", version).line();
        text.line("const struct facet_cudart_redirect facet_cudart_redirects_%s[] = {", version);
        for (String symbol : symbols) {
            text.line("    {\"%s\", (void (*)(void))facet_%s_%s},", symbol, version, symbol);
        }
        text.line("};").line();
        text.line("const size_t facet_cudart_redirect_count_%s = %d;", version, symbols.size());
        return text.toString();
    }
}
