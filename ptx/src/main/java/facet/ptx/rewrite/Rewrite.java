package facet.ptx.rewrite;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Modifier;
import facet.ptx.Module;
import facet.ptx.Opcode;
import facet.ptx.Parser;
import facet.ptx.Printer;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes kernels whose launches can be executed in parts. Names of kernels and places of their
 * parameters stay as they are. All texts that belong together must be linked before ({@link
 * facet.ptx.Link}): functions get parameters that a text beside this one would not know.
 */
public final class Rewrite {
    private final Plan plan;
    private final BodyNames names;
    private final Frames frames;

    private Rewrite(Plan plan, BodyNames names) {
        this.plan = plan;
        this.names = names;
        frames = new Frames(names);
    }

    /** All kernels of a text. */
    public static Rewritten rewrite(String text, BlockForm form) {
        return rewrite(text, form, name -> true);
    }

    /**
     * @param wanted which kernels; all others stay as they are and get no refusal
     * @throws facet.ptx.PtxException when the text is no PTX, or too large
     */
    public static Rewritten rewrite(String text, BlockForm form, Predicate<String> wanted) {
        Plan plan = Plan.of(Parser.parse(text), form, wanted);
        List<Refusal> refusals = List.copyOf(plan.refusals);
        if (plan.kernels.isEmpty()) {
            return new Rewritten(text, List.of(), refusals);
        }
        return new Rewritten(print(plan, FreshNames.of(text)), List.copyOf(plan.kernels), refusals);
    }

    /** The text of a plan. */
    static String print(Plan plan, FreshNames names) {
        return Printer.print(new Rewrite(plan, new BodyNames(names)).module());
    }

    private Module module() {
        Module module = plan.module;
        List<Declaration> declarations = new ArrayList<>(module.declarations().size());
        for (Declaration each : module.declarations()) {
            declarations.add(each instanceof Function function ? function(function) : each);
        }
        return new Module(module.version(), module.targets(), module.addressSize(), declarations);
    }

    private Function function(Function function) {
        Role role = plan.role(function);
        int values = plan.reach.values(function.name());
        return new Function(
                function.position(),
                function.linkage(),
                function.kernel(),
                function.name(),
                function.results(),
                parameters(function, role, values),
                function.directives(),
                body(function, role, values));
    }

    private List<Variable> parameters(Function function, Role role, int values) {
        List<Variable> parameters = new ArrayList<>(function.parameters());
        switch (role) {
            case FUNCTION -> {
                boolean inRegisters = Plan.inRegisters(function);
                for (Hidden each : Hidden.values()) {
                    if (each.in(values)) {
                        parameters.add(
                                inRegisters
                                        ? Code.variable(
                                                Space.REG, each.type(), names.value(each).name())
                                        : Code.variable(
                                                Space.PARAM,
                                                each.type(),
                                                names.fresh.variable(each.text())));
                    }
                }
            }
            case RANGES, PERSISTENT ->
                    parameters.add(
                            Code.bytes(
                                    Space.PARAM,
                                    Frames.HIDDEN_ALIGNMENT,
                                    names.hidden,
                                    HiddenArguments.BYTES));
            case WHOLE -> {}
        }
        return List.copyOf(parameters);
    }

    private @Nullable List<Statement> body(Function function, Role role, int values) {
        List<Statement> body = function.body();
        Facts facts = plan.scan.bodies.get(function.name());
        if (body == null || facts == null) {
            return body;
        }
        boolean handsOn = values != 0 && (!facts.callees.isEmpty() || facts.indirect);
        boolean same = role == Role.WHOLE ? !handsOn : role == Role.FUNCTION && values == 0;
        if (same && !plan.joins(facts)) {
            return body;
        }
        Joining joining =
                plan.joins(facts)
                        ? new Joining(names, plan.barriers.number, plan.combines(facts))
                        : null;
        List<Statement> statements = new ArrayList<>();
        switch (role) {
            case FUNCTION -> statements.addAll(frames.function(values, Plan.inRegisters(function)));
            case WHOLE -> statements.addAll(frames.whole(values));
            case RANGES -> statements.addAll(frames.ranges(values));
            case PERSISTENT ->
                    statements.addAll(
                            frames.persistent(
                                    values,
                                    (plan.reach.facts(function.name()) & Hidden.COPIES) != 0,
                                    joining == null ? List.of(barrier()) : joining.meeting()));
        }
        if (joining != null && role != Role.PERSISTENT) {
            frames.yes(statements);
        }
        statements.addAll(new BodyRewriter(plan, names, role, joining).statements(body));
        if (role == Role.PERSISTENT) {
            statements.add(frames.again());
        }
        return List.copyOf(statements);
    }

    /** Of all threads, where they met equally often. */
    private Statement barrier() {
        boolean apart = plan.canWaitApart();
        return Code.of(
                apart ? Opcode.BARRIER : Opcode.BAR,
                List.of(Modifier.SYNC),
                Code.number(plan.barriers.number));
    }
}
