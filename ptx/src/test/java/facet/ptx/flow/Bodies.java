package facet.ptx.flow;

import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Linkage;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Position;
import facet.ptx.Register;
import facet.ptx.Statement;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Bodies built without a parser, and random ones. */
final class Bodies {
    private Bodies() {}

    /** Collects instructions and labels. */
    static final class Builder {
        final List<Instruction> instructions = new ArrayList<>();
        final List<Register> registers = new ArrayList<>();
        final Map<String, Integer> labels = new LinkedHashMap<>();
        final Map<String, Statement.Targets> targets = new LinkedHashMap<>();

        Register register(Type type) {
            return register(type, 1);
        }

        Register register(Type type, int lanes) {
            Register register =
                    new Register("%x" + registers.size(), type, lanes, registers.size());
            registers.add(register);
            return register;
        }

        Builder label(String name) {
            labels.put(name, instructions.size());
            return this;
        }

        Builder add(@Nullable Register guard, Opcode opcode, Operand... operands) {
            return add(guard, opcode, List.of(), operands);
        }

        Builder add(
                @Nullable Register guard,
                Opcode opcode,
                List<facet.ptx.Suffix> suffixes,
                Operand... operands) {
            instructions.add(
                    new Instruction(
                            Position.NONE,
                            guard == null ? null : new Instruction.Guard(guard, false),
                            opcode,
                            suffixes,
                            List.of(operands)));
            return this;
        }

        Builder branch(@Nullable Register guard, String label) {
            return add(guard, Opcode.BRA, new Operand.Symbol(label, 0));
        }

        Body build() {
            Function function =
                    new Function(
                            Position.NONE,
                            Linkage.VISIBLE,
                            true,
                            "k",
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of());
            return new Body(function, instructions, registers, labels, Map.of(), Map.of(), targets);
        }
    }

    /** Blocks with a few moves each that end in random jumps, some guarded, some to nowhere. */
    static Body random(RandomGenerator random) {
        Builder builder = new Builder();
        int blocks = 1 + random.nextInt(12);
        int count = 1 + random.nextInt(70);
        for (int i = 0; i < count; i++) {
            builder.register(Type.B32);
        }
        Register vector = builder.register(Type.B32, 4);
        Register predicate = builder.register(Type.PRED);
        for (int block = 0; block < blocks; block++) {
            builder.label("L" + block);
            for (int i = random.nextInt(4); i > 0; i--) {
                Register to = builder.registers.get(random.nextInt(count));
                Register from = builder.registers.get(random.nextInt(count));
                Register guard = random.nextInt(3) == 0 ? predicate : null;
                switch (random.nextInt(6)) {
                    case 0 ->
                            builder.add(
                                    guard,
                                    Opcode.ST,
                                    new Operand.Address(to, random.nextInt(9)),
                                    from);
                    case 1 -> builder.add(guard, Opcode.MOV, new Operand.Element(vector, 1), from);
                    case 2 -> builder.add(guard, Opcode.MOV, to, new Operand.Element(vector, 2));
                    case 3 ->
                            builder.add(
                                    guard,
                                    Opcode.MOV,
                                    new Operand.Vector(List.of(to, from)),
                                    vector);
                    default -> builder.add(guard, Opcode.MOV, to, from);
                }
            }
            Register guard = random.nextBoolean() ? predicate : null;
            switch (random.nextInt(7)) {
                case 0 -> builder.add(guard, Opcode.RET);
                case 1 -> {}
                case 2 -> {
                    String list = "T" + block;
                    List<String> names = new ArrayList<>();
                    for (int i = 1 + random.nextInt(3); i > 0; i--) {
                        names.add("L" + random.nextInt(blocks));
                    }
                    builder.targets.put(
                            list, new Statement.Targets(Position.NONE, list, true, names));
                    builder.add(
                            guard,
                            Opcode.BRX,
                            List.of(Modifier.IDX),
                            builder.registers.get(0),
                            new Operand.Symbol(list, 0));
                }
                default -> builder.branch(guard, "L" + random.nextInt(blocks));
            }
        }
        if (random.nextBoolean()) {
            builder.add(null, Opcode.RET);
        }
        return builder.build();
    }
}
