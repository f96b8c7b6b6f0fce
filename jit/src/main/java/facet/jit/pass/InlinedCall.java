package facet.jit.pass;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Limits;
import facet.ptx.Linkage;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Type;
import facet.ptx.Variable;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One call that is replaced by the body of its callee. */
final class InlinedCall {
    private final InlineCalls pass;
    private final GrowingBody into;
    private final Instruction call;
    private final Function callee;
    private final Body body;

    /** Before every name of the callee. */
    private final String prefix;

    /** The callee's names and registers, and what they are called in the caller. */
    private final Map<String, String> symbols = new HashMap<>();

    private final Map<Integer, Register> renamed = new HashMap<>();

    /**
     * @param number of this call among those of the kernel
     */
    InlinedCall(InlineCalls pass, int number, Instruction call, Function callee) {
        this.pass = pass;
        this.into = pass.into();
        this.prefix = "$" + number + "$";
        this.call = call;
        this.callee = callee;
        this.body = pass.graph().body(callee);
    }

    void emit() {
        String after = prefix + "after";
        if (call.guard() != null) {
            Instruction.Guard skip =
                    new Instruction.Guard(call.guard().predicate(), !call.guard().negated());
            into.add(call.position(), skip, Opcode.BRA, List.of(), GrowingBody.symbol(after));
        }
        renameRegisters();
        renameSymbols();
        List<Operand> lists =
                call.operands().stream().filter(Operand.Arguments.class::isInstance).toList();
        List<Operand> results = callee.results().isEmpty() ? List.of() : elements(lists.getFirst());
        passArguments(callee.parameters().isEmpty() ? List.of() : elements(lists.getLast()));
        bindResults(results);
        copyBody();
        takeResults(results);
        into.label(after);
    }

    private static List<Operand> elements(Operand list) {
        return ((Operand.Arguments) list).elements();
    }

    private void renameRegisters() {
        Work.steps(body.registers().size() + body.variables().size() + body.labels().size());
        Limits.check(
                call.position(),
                "registers in a kernel with what is called in it",
                (long) into.registerCount() + body.registers().size(),
                Limits.REGISTERS);
        for (Register register : body.registers()) {
            renamed.put(register.id(), into.copyOf(register));
        }
    }

    private void renameSymbols() {
        body.variables().forEach((name, variable) -> into.variables.put(rename(name), variable));
        body.labels().keySet().forEach(this::rename);
        body.prototypes()
                .forEach((name, prototype) -> into.prototypes.put(rename(name), prototype));
        body.targets().forEach((name, list) -> into.targets.put(rename(name), renamed(list)));
    }

    private String rename(String name) {
        symbols.put(name, prefix + name);
        return prefix + name;
    }

    private Statement.Targets renamed(Statement.Targets list) {
        return new Statement.Targets(
                list.position(),
                prefix + list.name(),
                list.branches(),
                list.branches()
                        ? list.names().stream().map(each -> prefix + each).toList()
                        : list.names());
    }

    private void passArguments(List<Operand> given) {
        for (int i = 0; i < callee.parameters().size(); i++) {
            Variable formal = callee.parameters().get(i);
            Operand actual = given.get(i);
            if (formal.space() != Space.REG) {
                if (bind(formal, actual)) {
                    into.store(call.position(), prefix + formal.name(), actual, formal);
                }
            } else if (actual instanceof Operand.Symbol variable) {
                into.load(call.position(), inside(formal), variable.name(), formal);
            } else {
                into.move(call.position(), formal, inside(formal), actual);
            }
        }
    }

    private void bindResults(List<Operand> results) {
        for (int i = 0; i < callee.results().size(); i++) {
            if (callee.results().get(i).space() != Space.REG) {
                bind(callee.results().get(i), results.get(i));
            }
        }
    }

    /**
     * Lets the callee's formal name mean the caller's variable, or a new one for a plain value.
     * Whether it is a new one.
     */
    private boolean bind(Variable formal, Operand actual) {
        if (actual instanceof Operand.Symbol symbol) {
            symbols.put(formal.name(), symbol.name());
            return false;
        }
        String name = rename(formal.name());
        into.variables.put(
                name,
                new Variable(
                        call.position(),
                        Linkage.NONE,
                        Space.PARAM,
                        formal.alignment(),
                        formal.type(),
                        formal.lanes(),
                        name,
                        formal.dimensions(),
                        List.of(),
                        null));
        return true;
    }

    /** What a function allocates on the stack goes when it returns. */
    private void copyBody() {
        boolean allocates =
                body.instructions().stream().anyMatch(each -> each.opcode() == Opcode.ALLOCA);
        Operand.Symbol end = GrowingBody.symbol(prefix + "end");
        if (!allocates) {
            pass.copy(body, new Renaming(renamed, symbols, end));
        } else {
            Operand.Symbol returning = GrowingBody.symbol(prefix + "ret");
            Register stack = into.register(Type.B64);
            into.add(call.position(), null, Opcode.STACKSAVE, List.of(Type.U64), stack);
            pass.copy(body, new Renaming(renamed, symbols, returning));
            into.label(returning.name());
            into.add(call.position(), null, Opcode.STACKRESTORE, List.of(Type.U64), stack);
        }
        into.label(end.name());
    }

    private void takeResults(List<Operand> results) {
        for (int i = 0; i < callee.results().size(); i++) {
            Variable formal = callee.results().get(i);
            Operand actual = results.get(i);
            if (formal.space() == Space.REG && actual instanceof Operand.Symbol variable) {
                into.store(call.position(), variable.name(), inside(formal), formal);
            } else if (formal.space() == Space.REG && actual instanceof Register register) {
                into.move(call.position(), formal, register, inside(formal));
            } else if (formal.space() != Space.REG && actual instanceof Register register) {
                String name = Objects.requireNonNull(symbols.get(formal.name()));
                into.load(call.position(), register, name, formal);
            }
        }
    }

    /** The copy of a register that the callee declares as a parameter. */
    private Register inside(Variable formal) {
        return body.registers().stream()
                .filter(each -> each.name().equals(formal.name()))
                .map(each -> renamed.get(each.id()))
                .findFirst()
                .orElseThrow();
    }
}
