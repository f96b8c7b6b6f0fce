package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.pass.Builtin;
import facet.jit.pass.CallGraph;
import facet.jit.pass.Kinds;
import facet.jit.runtime.Builtins;
import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Type;
import facet.ptx.Variable;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * {@code call} (PTX ISA 9.7.12.5). Arguments are copied to where the callee's frame begins, behind
 * the caller's; results are copied back from there.
 */
final class Calls {
    static final ClassDesc BUILTINS = ClassDesc.of(Builtins.class.getName());
    private static final String RUNTIME = Builtins.class.getPackageName();

    /** {@code (block, thread, frame)}. */
    static final MethodTypeDesc FUNCTION = MethodTypeDesc.of(CD_void, Unit.BLOCK, CD_int, CD_int);

    static final MethodTypeDesc INDIRECT =
            MethodTypeDesc.of(CD_void, Unit.BLOCK, CD_int, CD_int, CD_long);

    private final Unit unit;
    private final Addresses addresses;
    private final Stacks stacks;

    Calls(Unit unit) {
        this.unit = unit;
        this.addresses = new Addresses(unit);
        this.stacks = new Stacks(unit);
    }

    void emit(Instruction call) {
        List<Operand> operands = call.operands();
        int callee = 0;
        while (operands.get(callee) instanceof Operand.Arguments) {
            callee++;
        }
        List<Operand> results =
                callee > 0 ? ((Operand.Arguments) operands.getFirst()).elements() : List.of();
        boolean hasArguments =
                callee + 1 < operands.size()
                        && operands.get(callee + 1) instanceof Operand.Arguments;
        List<Operand> arguments =
                hasArguments
                        ? ((Operand.Arguments) operands.get(callee + 1)).elements()
                        : List.of();
        Optional<String> name = CallGraph.calleeOf(call);
        if (name.isEmpty()) {
            indirect(call, operands.get(callee), results, arguments);
            return;
        }
        Optional<Function> function = unit.program.graph().resolve(name.get());
        if (function.isEmpty()) {
            builtin(unit.program.graph().builtin(name.get()).orElseThrow(), results, arguments);
            return;
        }
        Function target = function.get();
        Frame layout = Frame.arguments(target.parameters(), target.results());
        pass(arguments, target.parameters(), layout);
        pushCall();
        unit.code.invokestatic(Emitter.SELF, unit.program.method(target), FUNCTION);
        take(results, target.results(), layout);
    }

    private void indirect(
            Instruction call, Operand pointer, List<Operand> results, List<Operand> arguments) {
        Statement.Prototype prototype =
                call.operands().getLast() instanceof Operand.Symbol symbol
                        ? unit.body.prototypes().get(symbol.name())
                        : null;
        List<Variable> parameters;
        List<Variable> outputs;
        if (prototype != null) {
            parameters = prototype.parameters();
            outputs = prototype.results();
        } else {
            Function like = likeness(call);
            parameters = like.parameters();
            outputs = like.results();
        }
        Frame layout = Frame.arguments(parameters, outputs);
        pass(arguments, parameters, layout);
        pushCall();
        unit.push(pointer, Type.U64);
        unit.program.needIndirect();
        unit.code.invokestatic(Emitter.SELF, "indirect", INDIRECT);
        take(results, outputs, layout);
    }

    /** Without a prototype the call lists its targets, which all look alike. */
    private Function likeness(Instruction call) {
        if (call.operands().getLast() instanceof Operand.Symbol symbol) {
            Statement.Targets targets = unit.body.targets().get(symbol.name());
            if (targets != null) {
                return unit.program.graph().resolve(targets.names().getFirst()).orElseThrow();
            }
        }
        throw Unit.unsupported(call, "an indirect call needs a .callprototype or .calltargets");
    }

    private void pushCall() {
        unit.code.aload(Unit.BLOCK_SLOT).iload(unit.threadSlot());
        stacks.pushCalleeFrame();
    }

    /** Pushes the address in this process of a place in the frame of a function to be called. */
    private void pushCalleeRaw(int offset) {
        new Spaces(unit).pushLocalBase();
        stacks.pushCalleeFrame();
        unit.code.i2l().ladd().loadConstant((long) offset).ladd();
    }

    private void pass(List<Operand> arguments, List<Variable> formals, Frame layout) {
        unit.code.aload(Unit.BLOCK_SLOT);
        stacks.pushCalleeFrame();
        unit.code.loadConstant(layout.size());
        unit.code.invokestatic(
                BUILTINS, "checkStack", MethodTypeDesc.of(CD_void, Unit.BLOCK, CD_int, CD_int));
        for (int i = 0; i < arguments.size(); i++) {
            int into = layout.parameter(i);
            if (arguments.get(i) instanceof Operand.Symbol symbol) {
                addresses.pushFrameRaw(unit.frame.offset(symbol.name()));
                pushCalleeRaw(into);
                copy(formals.get(i).bytes());
            } else {
                pushCalleeRaw(into);
                unit.push(arguments.get(i), Type.ofBits(formals.get(i).type().bits()));
                put(Type.ofBits(formals.get(i).type().bits()));
            }
        }
    }

    private void take(List<Operand> results, List<Variable> formals, Frame layout) {
        for (int i = 0; i < results.size(); i++) {
            int from = layout.result(i);
            switch (results.get(i)) {
                case Operand.Symbol symbol -> {
                    pushCalleeRaw(from);
                    addresses.pushFrameRaw(unit.frame.offset(symbol.name()));
                    copy(formals.get(i).bytes());
                }
                case Register register -> {
                    pushCalleeRaw(from);
                    get(Type.ofBits(formals.get(i).type().bits()));
                    unit.store(register, Type.ofBits(formals.get(i).type().bits()));
                }
                case Operand.Element _,
                        Operand.Special _,
                        Operand.IntegerImmediate _,
                        Operand.FloatImmediate _,
                        Operand.Address _,
                        Operand.Vector _,
                        Operand.NotPredicate _,
                        Operand.PredicatePair _,
                        Operand.Arguments _,
                        Operand.Indexed _,
                        Operand.Sink _ -> {}
            }
        }
    }

    /** Copies between two addresses on the JVM's stack. */
    private void copy(long bytes) {
        unit.code.loadConstant(bytes);
        unit.code.invokestatic(
                Addresses.ACCESS, "copy", MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long));
    }

    private void put(Type type) {
        unit.code.invokestatic(
                Addresses.ACCESS,
                "putB" + type.bits(),
                MethodTypeDesc.of(CD_void, CD_long, type == Type.B64 ? CD_long : CD_int));
    }

    private void get(Type type) {
        String name = type.bits() < 32 ? "getU" + type.bits() : "getB" + type.bits();
        unit.code.invokestatic(
                Addresses.ACCESS,
                name,
                MethodTypeDesc.of(type == Type.B64 ? CD_long : CD_int, CD_long));
    }

    private void builtin(Builtin builtin, List<Operand> results, List<Operand> given) {
        unit.program.need(builtin.need());
        unit.code.aload(Unit.BLOCK_SLOT).iload(unit.threadSlot());
        List<ClassDesc> types = new ArrayList<>(List.of(Unit.BLOCK, CD_int));
        for (int i = 0; i < builtin.parameters().size(); i++) {
            Builtin.Parameter parameter = builtin.parameters().get(i);
            pushWords(given.get(i), parameter);
            types.addAll(Collections.nCopies(parameter.count(), java(parameter.type())));
        }
        Type result = builtin.result();
        unit.code.invokestatic(
                ClassDesc.of(RUNTIME, builtin.owner()),
                builtin.method(),
                MethodTypeDesc.of(result == null ? CD_void : java(result), types));
        if (result != null) {
            TypeKind kind = StackValues.typeKind(Kinds.Kind.of(result));
            int value = unit.code.allocateLocal(kind);
            unit.code.storeLocal(kind, value);
            for (Operand into : results) {
                if (into instanceof Operand.Symbol symbol) {
                    addresses.pushFrameRaw(unit.frame.offset(symbol.name()));
                    unit.code.loadLocal(kind, value);
                    put(result);
                } else {
                    unit.code.loadLocal(kind, value);
                    unit.store(into, result);
                }
            }
        }
    }

    private static ClassDesc java(Type type) {
        return type == Type.B64 ? CD_long : CD_int;
    }

    /** What was declared has as many bytes: the call graph has looked. */
    private void pushWords(Operand argument, Builtin.Parameter parameter) {
        for (int i = 0; i < parameter.count(); i++) {
            if (argument instanceof Operand.Symbol symbol) {
                int place = unit.frame.offset(symbol.name());
                int behind = i * parameter.type().bytes(); // bounded: a parameter of the table
                addresses.pushFrameRaw(Math.addExact(place, behind));
                get(parameter.type());
            } else {
                unit.push(argument, parameter.type());
            }
        }
    }
}
