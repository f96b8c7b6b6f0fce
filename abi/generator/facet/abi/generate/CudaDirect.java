package facet.abi.generate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the direct engine's libcuda.so.1 is made of, besides what is written by hand. */
final class CudaDirect {
    private CudaDirect() {}

    /** The one thing that it exports beside calls: where calls without a rule enter. */
    private static final List<String> OTHERS = List.of("facet_unruled");

    private static final String RULES =
            """

            /* Every call of driver.table whose arguments are known, in the order of facet_vendor. */
            struct facet_rule {
                const char *symbol;
                void (*function)(void); /* ours; NULL: the vendor's own is called */
            };

            extern const struct facet_rule facet_rules[];
            extern const size_t facet_rule_count;

            /* What cuGetProcAddress means by a name, a version and a variant: numbers of facet_rules, the newest of a name last. */
            struct facet_direct_proc {
                const char *name;
                int since;       /* version of CUDA */
                bool per_thread; /* the variant for a default stream per thread */
                size_t rule;
            };

            extern const struct facet_direct_proc facet_direct_procs[];
            extern const size_t facet_direct_proc_count;

            /* Answers that the slice does not allow a call. */
            CUresult facet_direct_refused(const char *name);
            /* After a call that waited. */
            CUresult facet_direct_waited(CUresult result);
            """;

    static void write(ApiTable table, Output c) throws IOException {
        for (Call call : table.calls()) {
            if (call.rule().kind() == Rule.Kind.NONE) {
                throw new IllegalStateException(
                        table.file() + ": " + call.symbol() + " has no rule; its head lists them");
            }
            if (call.rule().isRuled() && !isTyped(call)) {
                throw new IllegalStateException(
                        table.file()
                                + ": "
                                + call.symbol()
                                + " has a rule but no arguments; write its prototype");
            }
        }
        List<Call> ruled = table.calls().stream().filter(each -> each.rule().isRuled()).toList();
        c.write("facet_direct.h", header(table));
        c.write("facet_direct_stubs.c", stubs(table, ruled));
        c.write("facet_direct_rules.c", rules(table));
        c.write("facet_direct_names.c", names(table));
        c.write("libcuda-direct.map", Api.exports("", ruled, OTHERS));
    }

    /** Of some missing calls the table has the name alone. */
    private static boolean isTyped(Call call) {
        return call.supported() || !call.prototype().parameters().isEmpty();
    }

    private static List<Call> typed(ApiTable table) {
        return table.calls().stream().filter(CudaDirect::isTyped).toList();
    }

    private static String header(ApiTable table) {
        Text text = Text.c(table.file());
        text.line("#ifndef FACET_DIRECT_H").line("#define FACET_DIRECT_H").line();
        text.line("#include \"facet_cuda.h\"").line();
        text.line("/* The vendor's functions. What its library lacks answers 'not supported'. */");
        text.line("struct facet_vendor {");
        for (Call call : typed(table)) {
            for (String symbol : call.symbols()) {
                text.line("    %s;", call.prototype().declaration("(*" + symbol + ")"));
            }
        }
        text.line("};").line().line("extern struct facet_vendor facet_vendor;");
        text.line(RULES.stripTrailing());
        text.line().line("/* Written by hand. */");
        Set<String> declared = new TreeSet<>();
        for (Call call : table.calls()) {
            if (call.rule().byHand() && declared.add(call.implementation())) {
                text.line("%s;", handWritten(call));
            }
        }
        return text.line().line("#endif").toString();
    }

    private static String handWritten(Call call) {
        String name = "facet_direct_" + call.implementation();
        return call.hasVariant()
                ? call.prototype().declaration(name, "bool per_thread")
                : call.prototype().declaration(name);
    }

    private static String stubs(ApiTable table, List<Call> ruled) {
        Text text = Text.c(table.file());
        text.line("#include <errno.h>").line();
        text.line("#include \"facet_direct.h\"").line("#include \"time.h\"").line();
        // A program looks at errno for its own calls, and may make one of ours in between.
        text.line("#define KEEPING_ERRNO(call)         \\");
        text.line("    int facet_errno = errno;        \\");
        text.line("    CUresult facet_result = (call); \\");
        text.line("    errno = facet_errno;            \\");
        text.line("    return facet_result").line();
        text.line("#pragma GCC diagnostic ignored \"-Wunused-parameter\"");
        for (Call call : ruled) {
            stub(text, call, call.symbol(), false);
            if (call.hasVariant()) {
                stub(text, call, call.variantSymbol(), true);
            }
        }
        return text.toString();
    }

    private static void stub(Text text, Call call, String symbol, boolean perThread) {
        Prototype prototype = call.prototype();
        String vendors = prototype.call("facet_vendor." + symbol);
        text.line();
        text.line("__attribute__((visibility(\"default\"))) %s", prototype.declaration(symbol));
        text.line("{");
        switch (call.rule().kind()) {
            case CHARGES, RETURNS, WATCHES, TELLS -> byHand(text, call, perThread);
            case LAUNCHES -> timed(text, call, "LAUNCH", vendors, perThread);
            case COPIES -> timed(text, call, "COPY", vendors, perThread);
            case WAITS -> text.line("    KEEPING_ERRNO(facet_direct_waited(%s));", vendors);
            case REFUSED -> text.line("    return facet_direct_refused(\"%s\");", symbol);
            case NONE, PASS -> throw new IllegalStateException(symbol + " is not ruled");
        }
        text.line("}");
    }

    private static void byHand(Text text, Call call, boolean perThread) {
        for (Prototype.Parameter parameter : call.prototype().parameters()) {
            if (parameter.direction() == Prototype.Direction.OUT) {
                text.line("    if (%s == NULL)", parameter.name());
                text.line("        return CUDA_ERROR_INVALID_VALUE;");
            }
        }
        String name = "facet_direct_" + call.implementation();
        text.line(
                "    KEEPING_ERRNO(%s);",
                call.hasVariant()
                        ? call.prototype().call(name, Boolean.toString(perThread))
                        : call.prototype().call(name));
    }

    private static void timed(
            Text text, Call call, String work, String vendors, boolean perThread) {
        text.line("    struct facet_turn turn;");
        text.line("    int facet_errno = errno;");
        text.line(
                "    CUresult result = facet_time_enter(&turn, FACET_WORK_%s, %s);",
                work, stream(call, perThread));
        text.line("    if (result == CUDA_SUCCESS)");
        text.line("        result = facet_time_leave(&turn, %s);", vendors);
        text.line("    errno = facet_errno;");
        text.line("    return result;");
    }

    private static String stream(Call call, boolean perThread) {
        String usual = perThread ? "CU_STREAM_PER_THREAD" : "NULL";
        String named = call.rule().stream();
        if (!named.isEmpty()) {
            String structure = named.substring(0, named.indexOf("->"));
            return "%s != NULL && %s != NULL ? %s : %s".formatted(structure, named, named, usual);
        }
        return call.prototype().parameters().stream()
                .filter(each -> each.declaration().matches("CUstream \\w+"))
                .findFirst()
                .map(each ->
                        perThread
                                ? "%s != NULL ? %s : %s".formatted(each.name(), each.name(), usual)
                                : each.name())
                .orElse(usual);
    }

    private record Proc(String name, int since, boolean perThread, int rule) {}

    private static String rules(ApiTable table) {
        Text text = Text.c(table.file());
        text.line("#include \"facet_direct.h\"").line();
        text.line("const struct facet_rule facet_rules[] = {");
        List<Proc> procs = new ArrayList<>();
        int count = 0;
        for (Call call : typed(table)) {
            procs.add(new Proc(call.baseName(), call.since(), false, count));
            if (call.hasVariant()) {
                procs.add(new Proc(call.baseName(), call.variantSince(), true, count + 1));
            }
            for (String symbol : call.symbols()) {
                String ours = call.rule().isRuled() ? "(void (*)(void))" + symbol : "NULL";
                text.line("    {\"%s\", %s},", symbol, ours);
                count++;
            }
        }
        text.line("};").line();
        text.line("const size_t facet_rule_count = %d;", count);
        text.line();
        text.line(
                "_Static_assert(sizeof(struct facet_vendor) == %d * sizeof(void *), \"one pointer a"
                        + " call\");",
                count);
        procs.sort(Comparator.comparing(Proc::name).thenComparingInt(Proc::since));
        text.line().line("const struct facet_direct_proc facet_direct_procs[] = {");
        for (Proc each : procs) {
            text.line(
                    "    {\"%s\", %d, %b, %d},",
                    each.name(), each.since(), each.perThread(), each.rule());
        }
        text.line("};").line();
        text.line("const size_t facet_direct_proc_count = %d;", procs.size());
        return text.toString();
    }

    /** All names that the table knows, sorted: what else a vendor exports has no rule. */
    private static String names(ApiTable table) {
        Set<String> names = new TreeSet<>();
        table.calls().forEach(each -> names.addAll(each.symbols()));
        names.addAll(table.exports());
        Text text = Text.c(table.file());
        text.line("#include \"stubs.h\"").line();
        text.line("const char *const facet_known_calls[] = {");
        names.forEach(each -> text.line("    \"%s\",", each));
        text.line("};").line();
        text.line("const size_t facet_known_call_count = %d;", names.size());
        return text.toString();
    }
}
