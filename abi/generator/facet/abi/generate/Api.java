package facet.abi.generate;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What differs between the APIs, and the C that is made of their tables.
 *
 * @param name in names of files: facet_cuda.h
 * @param includes lines of the header before everything else
 * @param unsupported called with a function's name; counts it and returns the error
 * @param denied the same for what nobody may call; "": this API has no such functions
 * @param invalid returned for NULL where an answer belongs
 */
record Api(
        String name,
        ApiTable table,
        List<String> includes,
        String result,
        String unsupported,
        String denied,
        String invalid) {

    Text header() {
        String guard = "FACET_" + Names.upper(name) + "_H";
        Text text = Text.c(table.file());
        text.line("#ifndef %s", guard).line("#define %s", guard).line();
        includes.forEach(text::line);
        return text.line();
    }

    /** What is written by hand: one declaration for each function. */
    void handWritten(Text text) {
        text.line();
        text.line("/* Counts a call that is not supported; returns the error for it. */");
        text.line("%s %s(const char *name);", result, unsupported);
        if (!denied.isEmpty()) {
            text.line("/* Answers that nobody may call it. */");
            text.line("%s %s(const char *name);", result, denied);
        }
        text.line();
        text.line("/* Written by hand. */");
        Set<String> declared = new HashSet<>();
        for (Call call : table.calls()) {
            if (call.supported() && declared.add(call.implementation())) {
                text.line("%s;", call.handWritten());
            }
        }
    }

    /** The functions of the library, each a call of what is written by hand. */
    String stubs(List<Call> calls) {
        Text text = Text.c(table.file());
        text.line("#include <errno.h>").line();
        text.line("#include \"facet_%s.h\"", name);
        text.line();
        text.line("#ifndef FACET_ENTRY");
        text.line("#define FACET_ENTRY(name) name");
        text.line("#define FACET_EXPORT __attribute__((visibility(\"default\")))");
        text.line("#endif");
        text.line();
        text.line("#pragma GCC diagnostic ignored \"-Wunused-parameter\"");
        for (Call call : calls) {
            stub(text, call, call.symbol(), "false");
            if (call.hasVariant()) {
                stub(text, call, call.variantSymbol(), "true");
            }
        }
        return text.toString();
    }

    private void stub(Text text, Call call, String symbol, String perThread) {
        Prototype prototype = call.prototype();
        text.line();
        text.line("FACET_EXPORT %s", prototype.declaration("FACET_ENTRY(" + symbol + ")"));
        text.line("{");
        if (!call.supported()) {
            String answers = call.denied() ? denied : unsupported;
            text.line("    return %s(\"%s\");", answers, symbol);
            text.line("}");
            return;
        }
        for (Prototype.Parameter parameter : prototype.parameters()) {
            if (parameter.direction() == Prototype.Direction.OUT) {
                text.line("    if (%s == NULL)", parameter.name());
                text.line("        return %s;", invalid);
            }
        }
        String function = "facet_" + call.implementation();
        String forwarded =
                call.hasVariant() ? prototype.call(function, perThread) : prototype.call(function);
        boolean answers = !prototype.result().equals("void");
        // A program looks at errno for its own calls, and may make one of ours in between.
        text.line("    int facet_errno = errno;");
        text.line(
                "    %s%s;", answers ? prototype.declared("facet_result") + " = " : "", forwarded);
        text.line("    errno = facet_errno;");
        if (answers) {
            text.line("    return facet_result;");
        }
        text.line("}");
    }

    /**
     * @param node name of the version that the symbols carry, "" when they carry none
     * @param others symbols that are no calls
     */
    static String exports(String node, List<Call> calls, List<String> others) {
        Text text = new Text();
        text.line("%s{", node.isEmpty() ? "" : node + " ");
        text.line("global:");
        for (Call call : calls) {
            for (String symbol : call.symbols()) {
                text.line("    %s;", symbol);
            }
        }
        others.forEach(symbol -> text.line("    %s;", symbol));
        return text.line("local:").line("    *;").line("};").toString();
    }
}
