package facet.testkit.filetest;

import facet.jit.pass.CallGraph;
import facet.jit.pass.InlineCalls;
import facet.jit.pass.Kinds;
import facet.jit.pass.LaneShapes;
import facet.jit.pass.Regions;
import facet.jit.pass.WarpOrder;
import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Printer;
import facet.ptx.Register;
import facet.ptx.Verifier;
import facet.ptx.flow.Body;
import facet.ptx.flow.Flatten;
import facet.ptx.flow.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a module looks like after a pass of the compiler, or what an analysis says of it. */
final class PassPrinter {
    private interface Pass {
        void print(PassPrinter printer, Module module, int limit);
    }

    private static final Map<String, Pass> PASSES =
            Map.of(
                    "flatten",
                    (printer, module, limit) -> printer.flatten(module),
                    "calls",
                    (printer, module, limit) -> printer.calls(module),
                    "inline",
                    (printer, module, limit) ->
                            printer.kernels(module, body -> printer.listing(body, new BitSet())),
                    "kinds",
                    (printer, module, limit) -> printer.kernels(module, printer::kinds),
                    "shapes",
                    (printer, module, limit) -> printer.kernels(module, printer::shapes),
                    "steps",
                    (printer, module, limit) ->
                            printer.kernels(
                                    module, body -> printer.listing(body, WarpOrder.cuts(body))),
                    "regions",
                    (printer, module, limit) ->
                            printer.kernels(module, body -> printer.regions(body, limit)));

    private final List<String> lines = new ArrayList<>();

    private PassPrinter() {}

    /**
     * @param pass its name, for regions with the length that one may have: {@code regions 100}
     */
    static List<String> print(String pass, String ptx) {
        String[] words = pass.split(" ", 2);
        Pass found = PASSES.get(words[0]);
        if (found == null) {
            throw new IllegalArgumentException(
                    "no pass '"
                            + pass
                            + "'; there are "
                            + PASSES.keySet().stream().sorted().toList());
        }
        Module module = Parser.parse(ptx);
        Verifier.verify(module);
        PassPrinter printer = new PassPrinter();
        int limit = words.length == 1 ? Regions.DEFAULT_LIMIT : Integer.parseInt(words[1]);
        found.print(printer, module, limit);
        return printer.lines;
    }

    private interface BodyPrinter {
        void print(Body body);
    }

    private void kernels(Module module, BodyPrinter printer) {
        CallGraph graph = new CallGraph(module);
        for (Function kernel : module.kernels()) {
            lines.add(kernel.name());
            printer.print(InlineCalls.inline(graph, kernel));
        }
    }

    private void flatten(Module module) {
        for (Function function : functions(module)) {
            lines.add(function.name());
            listing(Flatten.flatten(function), new BitSet());
        }
    }

    private static List<Function> functions(Module module) {
        return module.declarations().stream()
                .filter(each -> each instanceof Function function && function.body() != null)
                .map(Function.class::cast)
                .toList();
    }

    private void calls(Module module) {
        CallGraph graph = new CallGraph(module);
        for (Function function : functions(module)) {
            List<String> facts = new ArrayList<>();
            if (function.kernel()) {
                facts.add("kernel");
            } else {
                facts.add(graph.isInlined(function) ? "inlined" : "called");
            }
            if (graph.meets(function)) {
                facts.add("threads meet");
            }
            if (graph.addressTaken().contains(function)) {
                facts.add("address taken");
            }
            String reached =
                    graph.reachable(function).stream()
                            .map(Function::name)
                            .filter(name -> !name.equals(function.name()))
                            .sorted()
                            .collect(Collectors.joining(" "));
            facts.add(reached.isEmpty() ? "reaches nobody" : "reaches " + reached);
            lines.add(function.name() + ": " + String.join(", ", facts));
        }
    }

    private void kinds(Body body) {
        Kinds kinds = Kinds.infer(body);
        for (Register each : body.registers()) {
            String kind = kinds.of(each).name().toLowerCase(Locale.ROOT);
            lines.add("  " + each.name() + " ." + each.type().text() + ": " + kind);
        }
    }

    private void shapes(Body body) {
        LaneShapes shapes = LaneShapes.of(body);
        for (Register each : body.registers()) {
            lines.add("  " + each.name() + ": " + text(shapes.of(each)));
        }
    }

    private static String text(Shape shape) {
        return switch (shape) {
            case Shape.Uniform ignored -> "uniform";
            case Shape.Affine affine ->
                    "stride " + affine.stride() + (affine.exact() ? "" : ", unless it wraps");
            case Shape.Varying ignored -> "varying";
        };
    }

    private void regions(Body body, int limit) {
        List<Regions.Region> regions = Regions.split(body, limit);
        BitSet entries = new BitSet();
        for (Regions.Region each : regions) {
            entries.set(each.entry());
            String pieces =
                    each.pieces().stream()
                            .map(piece -> piece[0] + "-" + (piece[1] - 1))
                            .collect(Collectors.joining(" "));
            lines.add("  region " + each.number() + " from " + each.entry() + ": " + pieces);
        }
        entries.clear(0);
        listing(body, entries);
    }

    /** With a line before the instructions that are marked. Two registers may have one name. */
    private void listing(Body body, BitSet marks) {
        List<String> registers = body.registers().stream().map(Register::name).toList();
        if (new HashSet<>(registers).size() < registers.size()) {
            lines.add("  registers " + String.join(" ", registers));
        }
        for (String name : body.variables().keySet()) {
            lines.add("  variable " + name);
        }
        for (int i = 0; i <= body.instructions().size(); i++) {
            if (marks.get(i)) {
                lines.add("  ----");
            }
            int index = i;
            body.labels().entrySet().stream()
                    .filter(each -> each.getValue() == index)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .forEach(name -> lines.add("  " + name + ":"));
            if (i < body.instructions().size()) {
                Instruction each = body.instructions().get(i);
                lines.add("  %3d  %s%s".formatted(i, guard(each), Printer.print(each)));
            }
        }
    }

    private static String guard(Instruction instruction) {
        Instruction.Guard guard = instruction.guard();
        if (guard == null) {
            return "";
        }
        return (guard.negated() ? "@!" : "@") + guard.predicate().name() + " ";
    }
}
