package facet.jit.pass;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Limits;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Position;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.Statement;
import facet.ptx.Suffix;
import facet.ptx.Type;
import facet.ptx.Variable;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A body while others are copied into it. It begins without instructions and labels. */
final class GrowingBody {
    private final List<Instruction> instructions = new ArrayList<>();
    private final List<Register> registers;
    private final Map<String, Integer> labels = new HashMap<>();
    final Map<String, Variable> variables;
    final Map<String, Statement.Prototype> prototypes;
    final Map<String, Statement.Targets> targets;

    GrowingBody(Body body) {
        this.registers = new ArrayList<>(body.registers());
        this.variables = new LinkedHashMap<>(body.variables());
        this.prototypes = new HashMap<>(body.prototypes());
        this.targets = new HashMap<>(body.targets());
    }

    Body of(Function function) {
        return new Body(
                function,
                List.copyOf(instructions),
                List.copyOf(registers),
                Map.copyOf(labels),
                variables,
                Map.copyOf(prototypes),
                Map.copyOf(targets));
    }

    /** The next instruction can be reached by this name. */
    void label(String name) {
        labels.put(name, instructions.size());
    }

    int registerCount() {
        return registers.size();
    }

    Register copyOf(Register register) {
        Register fresh =
                new Register(register.name(), register.type(), register.lanes(), registers.size());
        registers.add(fresh);
        return fresh;
    }

    void append(Instruction instruction) {
        Work.step();
        instructions.add(instruction);
        Limits.check(
                instruction.position(),
                "instructions in a kernel with what is called in it",
                instructions.size(),
                Limits.INLINED_INSTRUCTIONS);
    }

    void move(Position position, Variable formal, Operand into, Operand from) {
        Type type = formal.type() == Type.PRED ? Type.PRED : Type.ofBits(formal.type().bits());
        add(position, null, Opcode.MOV, List.of(type), into, from);
    }

    void store(Position position, String name, Operand from, Variable formal) {
        add(
                position,
                null,
                Opcode.ST,
                List.of(Space.PARAM, Type.ofBits(formal.type().bits())),
                new Operand.Address(symbol(name), 0),
                from);
    }

    void load(Position position, Register into, String name, Variable formal) {
        add(
                position,
                null,
                Opcode.LD,
                List.of(Space.PARAM, Type.ofBits(formal.type().bits())),
                into,
                new Operand.Address(symbol(name), 0));
    }

    Register register(Type type) {
        Register register = new Register("%inlined" + registers.size(), type, 1, registers.size());
        registers.add(register);
        return register;
    }

    static Operand.Symbol symbol(String name) {
        return new Operand.Symbol(name, 0);
    }

    void add(
            Position position,
            Instruction.@Nullable Guard guard,
            Opcode opcode,
            List<Suffix> suffixes,
            Operand... operands) {
        append(new Instruction(position, guard, opcode, suffixes, List.of(operands)));
    }
}
