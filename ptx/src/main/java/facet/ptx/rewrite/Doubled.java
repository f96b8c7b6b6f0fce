package facet.ptx.rewrite;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A text in which kernels are there twice: as they were, and under another name with launches in
 * ranges. Whoever launches by the old name, in whatever way, gets what the program meant; who knows
 * of the other may launch that in parts. Both see the same variables.
 *
 * @param text what is to be loaded; the text that was given when no kernel is there twice
 * @param refusals for kernels that are there once
 */
public record Doubled(String text, List<Twin> twins, List<Refusal> refusals) {
    /**
     * A kernel in ranges, which {@link HiddenArguments#ranges} fill in.
     *
     * @param kernel that it does the blocks of
     * @param name its own
     * @param parameters how many it has before the hidden one
     * @param offset of the hidden one in the parameter buffer
     */
    public record Twin(String kernel, String name, int parameters, int offset) {}

    /**
     * @throws facet.ptx.PtxException when the text is no PTX, or too large
     */
    public static Doubled of(String text) {
        Module module = Parser.parse(text);
        Plan possible = Plan.of(module, BlockForm.RANGES, name -> true);
        Map<String, Integer> offsets = new HashMap<>();
        possible.kernels.forEach(each -> offsets.put(each.name(), each.offset()));
        List<Refusal> refusals = new ArrayList<>(possible.refusals);
        FreshNames names = FreshNames.of(text);
        List<Twin> twins = new ArrayList<>();
        Set<String> others = new HashSet<>();
        List<Declaration> all = new ArrayList<>(module.declarations());
        for (Declaration each : module.declarations()) {
            if (!(each instanceof Function kernel)
                    || kernel.body() == null
                    || !offsets.containsKey(kernel.name())) {
                continue;
            }
            if (hasVariables(kernel.body())) {
                refusals.add(
                        new Refusal(
                                kernel.name(),
                                kernel.position(),
                                "has a variable of its own that launches share"));
                continue;
            }
            Twin twin =
                    new Twin(
                            kernel.name(),
                            names.next("ranges"),
                            kernel.parameters().size(),
                            offsets.get(kernel.name()));
            twins.add(twin);
            others.add(twin.name());
            all.add(named(kernel, twin.name()));
        }
        if (twins.isEmpty()) {
            return new Doubled(text, List.of(), List.copyOf(refusals));
        }
        Module doubled = new Module(module.version(), module.targets(), module.addressSize(), all);
        Plan plan = Plan.of(doubled, BlockForm.RANGES, others::contains);
        return new Doubled(Rewrite.print(plan, names), List.copyOf(twins), List.copyOf(refusals));
    }

    /** Whether a body declares memory that lasts from launch to launch: it would be there twice. */
    private static boolean hasVariables(List<Statement> body) {
        for (Statement each : body) {
            Work.step();
            boolean lasts =
                    switch (each) {
                        case Statement.Local local ->
                                local.variable().space() == Space.GLOBAL
                                        || local.variable().space() == Space.CONST;
                        case Statement.Scope scope -> hasVariables(scope.statements());
                        default -> false;
                    };
            if (lasts) {
                return true;
            }
        }
        return false;
    }

    private static Function named(Function kernel, String name) {
        return new Function(
                kernel.position(),
                kernel.linkage(),
                kernel.kernel(),
                name,
                kernel.results(),
                kernel.parameters(),
                kernel.directives(),
                kernel.body());
    }
}
