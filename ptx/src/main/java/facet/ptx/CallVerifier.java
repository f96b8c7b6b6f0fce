package facet.ptx;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds a call against what it calls (PTX ISA 9.7.12.5). */
final class CallVerifier {
    private final VerifierScope scope;

    CallVerifier(VerifierScope scope) {
        this.scope = scope;
    }

    @Nullable String problem(Instruction call) {
        List<Operand> operands = call.operands();
        int at = 0;
        List<Operand> results = List.of();
        if (!operands.isEmpty() && operands.getFirst() instanceof Operand.Arguments list) {
            results = list.elements();
            at = 1;
        }
        if (at >= operands.size()) {
            return "names no function";
        }
        Operand callee = operands.get(at++);
        List<Operand> arguments = List.of();
        if (at < operands.size() && operands.get(at) instanceof Operand.Arguments list) {
            arguments = list.elements();
            at++;
        }
        Operand last = at < operands.size() ? operands.get(at) : null;
        if (callee instanceof Operand.Symbol symbol) {
            return direct(symbol.name(), results, arguments);
        }
        return callee instanceof Register register
                ? indirect(register, last, results, arguments)
                : "must name a function or a register that holds its address";
    }

    private @Nullable String direct(String name, List<Operand> results, List<Operand> arguments) {
        Function function = scope.function(name);
        if (function == null) {
            return "names the function "
                    + name
                    + ", which is not declared; add a .func declaration";
        }
        if (function.kernel()) {
            return "names " + name + ", which is a kernel; only a .func can be called";
        }
        return signature(name, function.results(), function.parameters(), results, arguments);
    }

    private @Nullable String indirect(
            Register register,
            @Nullable Operand last,
            List<Operand> results,
            List<Operand> arguments) {
        if (!TypeRules.fits(register.type(), Type.U64, false)) {
            return "holds the function in " + register.name() + ", which must be .b64 or .u64";
        }
        if (!(last instanceof Operand.Symbol symbol)) {
            return "through a register needs a .callprototype or .calltargets list";
        }
        Statement.Prototype prototype = scope.prototype(symbol.name());
        if (prototype != null) {
            return signature(
                    symbol.name(), prototype.results(), prototype.parameters(), results, arguments);
        }
        Statement.Targets targets = scope.targets(symbol.name());
        if (targets == null || targets.branches()) {
            return "names " + symbol.name() + ", which is no .callprototype or .calltargets list";
        }
        for (String name : targets.names()) {
            String problem = direct(name, results, arguments);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String signature(
            String name,
            List<Variable> wantedResults,
            List<Variable> wanted,
            List<Operand> results,
            List<Operand> arguments) {
        if (wantedResults.size() != results.size() || wanted.size() != arguments.size()) {
            return "gives %d arguments and takes %d results, but %s has %d and %d"
                    .formatted(
                            arguments.size(),
                            results.size(),
                            name,
                            wanted.size(),
                            wantedResults.size());
        }
        for (int i = 0; i < results.size(); i++) {
            String problem = argument("result " + (i + 1), wantedResults.get(i), results.get(i));
            if (problem != null) {
                return problem;
            }
        }
        for (int i = 0; i < arguments.size(); i++) {
            String problem = argument("argument " + (i + 1), wanted.get(i), arguments.get(i));
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String argument(String what, Variable wanted, Operand given) {
        return switch (given) {
            case Operand.Symbol symbol -> {
                Variable variable = scope.variable(symbol.name());
                if (variable == null || !variable.space().isParam()) {
                    yield what + " is " + symbol.name() + ", which is no .param variable";
                }
                if (scope.isKernelParameter(symbol.name())) {
                    yield what
                            + " is "
                            + symbol.name()
                            + ", a parameter of the kernel; copy it to a .param variable";
                }
                yield wanted.dimensions().contains(0L) || variable.bytes() == wanted.bytes()
                        ? null
                        : what
                                + " is "
                                + symbol.name()
                                + " of "
                                + variable.bytes()
                                + " bytes, but the function has "
                                + wanted.bytes();
            }
            case Register register ->
                    register.type().bits() == wanted.type().bits()
                            ? null
                            : what + " is " + register.name() + ", which has another size";
            case Operand.IntegerImmediate _, Operand.FloatImmediate _, Operand.Sink _ -> null;
            case Operand.Element _,
                    Operand.Special _,
                    Operand.Address _,
                    Operand.Vector _,
                    Operand.NotPredicate _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _ ->
                    what + " must be a .param variable, a register or a constant";
        };
    }
}
