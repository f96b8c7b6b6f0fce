package facet.ptx.rewrite;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Type;
import facet.ptx.Variable;
import facet.ptx.Work;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes the statements of one body. */
final class BodyRewriter {
    private final Plan plan;
    private final BodyNames names;
    private final Role role;
    private final @Nullable Joining joining;

    /** A call was written behind which a thread may have ended, and its results not yet read. */
    private boolean mayHaveEnded;

    BodyRewriter(Plan plan, BodyNames names, Role role, @Nullable Joining joining) {
        this.plan = plan;
        this.names = names;
        this.role = role;
        this.joining = joining;
    }

    List<Statement> statements(List<Statement> statements) {
        List<Statement> result = new ArrayList<>(statements.size());
        for (Statement each : statements) {
            Work.step();
            if (mayHaveEnded && !belongsToCall(each)) {
                leave(result);
            }
            switch (each) {
                case Instruction instruction -> instruction(instruction, result);
                case Statement.Scope scope ->
                        result.add(new Statement.Scope(statements(scope.statements())));
                case Statement.Prototype prototype -> result.add(prototype(prototype));
                case Statement.Label _,
                        Statement.Registers _,
                        Statement.Local _,
                        Statement.Location _,
                        Statement.Pragma _,
                        Statement.Targets _ ->
                        result.add(each);
            }
        }
        if (mayHaveEnded) {
            leave(result);
        }
        return List.copyOf(result);
    }

    /** Results are read at once behind a call, with nothing between. */
    private static boolean belongsToCall(Statement statement) {
        return switch (statement) {
            case Instruction instruction -> {
                Space space = instruction.space();
                yield instruction.opcode() == Opcode.LD && space != null && space.isParam();
            }
            case Statement.Registers _, Statement.Local _, Statement.Location _ -> true;
            case Statement.Label _,
                    Statement.Scope _,
                    Statement.Pragma _,
                    Statement.Prototype _,
                    Statement.Targets _ ->
                    false;
        };
    }

    private void instruction(Instruction instruction, List<Statement> result) {
        switch (instruction.opcode()) {
            case CALL -> call(instruction, result);
            case EXIT -> exit(instruction, result);
            case RET -> result.add(role == Role.PERSISTENT ? next(instruction) : instruction);
            case BAR, BARRIER -> {
                if (joining != null && Meetings.kind(instruction) == Hidden.BARRIERS) {
                    result.addAll(joining.barrier(instruction));
                } else {
                    result.add(instruction);
                }
            }
            default -> {
                List<Statement> replaced =
                        role.knowsItsBlock()
                                ? null
                                : SpecialReads.replace(instruction, names::value);
                if (replaced == null) {
                    result.add(instruction);
                } else {
                    result.addAll(replaced);
                }
            }
        }
    }

    private Instruction next(Instruction end) {
        return new Instruction(
                end.position(),
                end.guard(),
                Opcode.BRA,
                List.of(),
                List.of(Code.symbol(names.next)));
    }

    private void exit(Instruction exit, List<Statement> result) {
        if (role == Role.PERSISTENT) {
            result.add(next(exit));
        } else if (role == Role.FUNCTION && plan.form == BlockForm.PERSISTENT) {
            result.add(
                    Code.guarded(
                            exit.guard(),
                            Opcode.ST,
                            List.of(Space.LOCAL, Type.U32),
                            Code.at(names.value(Hidden.ENDED), 0),
                            Code.number(1)));
            result.add(Code.guarded(exit.guard(), Opcode.RET, List.of()));
        } else {
            result.add(exit);
        }
    }

    private void call(Instruction call, List<Statement> result) {
        int at = Calls.callee(call);
        int values = plan.reach.pointerValues();
        boolean inRegisters = false;
        if (at < 0) {
            result.add(call);
            return;
        }
        if (call.operand(at) instanceof Operand.Symbol symbol) {
            Function function = plan.scan.function(symbol.name());
            values = plan.reach.values(plan.scan.target(symbol.name()));
            inRegisters = function != null && Plan.inRegisters(function);
        }
        if (values == 0) {
            result.add(call);
            return;
        }
        List<Operand> more = new ArrayList<>();
        for (Hidden each : Hidden.values()) {
            if (each.in(values)) {
                more.add(inRegisters ? names.value(each) : argument(each, result));
            }
        }
        result.add(Calls.withMore(call, more));
        mayHaveEnded |= Hidden.ENDED.in(values);
    }

    private Operand argument(Hidden value, List<Statement> result) {
        String name = names.fresh.next("argument");
        result.add(new Statement.Local(Code.variable(Space.PARAM, value.type(), name)));
        result.add(
                Code.of(
                        Opcode.ST,
                        List.of(Space.PARAM, value.type()),
                        Code.at(name, 0),
                        names.value(value)));
        return Code.symbol(name);
    }

    /** Behind a call: a thread that ended in it ends here too. */
    private void leave(List<Statement> result) {
        mayHaveEnded = false;
        result.add(
                Code.of(
                        Opcode.LD,
                        List.of(Space.LOCAL, Type.U32),
                        names.word,
                        Code.at(names.value(Hidden.ENDED), 0)));
        result.add(
                Code.of(
                        Opcode.SETP,
                        List.of(Modifier.NE, Type.U32),
                        names.predicate,
                        names.word,
                        Code.number(0)));
        Instruction.Guard guard = Code.when(names.predicate);
        result.add(
                switch (role) {
                    case FUNCTION -> Code.guarded(guard, Opcode.RET, List.of());
                    case WHOLE, RANGES -> Code.guarded(guard, Opcode.EXIT, List.of());
                    case PERSISTENT ->
                            Code.guarded(guard, Opcode.BRA, List.of(), Code.symbol(names.next));
                });
    }

    private Statement prototype(Statement.Prototype prototype) {
        int values = plan.reach.pointerValues();
        if (values == 0) {
            return prototype;
        }
        List<Variable> parameters = new ArrayList<>(prototype.parameters());
        for (Hidden each : Hidden.values()) {
            if (each.in(values)) {
                parameters.add(Code.variable(Space.PARAM, each.type(), "_"));
            }
        }
        return new Statement.Prototype(
                prototype.position(),
                prototype.name(),
                prototype.results(),
                List.copyOf(parameters),
                prototype.noReturn());
    }
}
