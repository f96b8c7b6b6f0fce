package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.SpecialRegister;
import facet.ptx.Type;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What {@link Uniformity} claims holds on random programs. */
final class LockstepTest {
    private static final int REGISTERS = 7;

    @Test
    void claimsHoldOnRandomPrograms() {
        long seed = Long.getLong("facet.seed", 5L);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int claims = 0;
        for (int round = 0; round < 4000; round++) {
            Lockstep run = new Lockstep(ControlFlow.of(program(random)), random);
            run.run("seed " + seed + " round " + round);
            claims += run.claims;
        }
        assertTrue(claims > 100_000, "only " + claims + " claims");
    }

    private static Body program(RandomGenerator random) {
        Bodies.Builder builder = new Bodies.Builder();
        for (int i = 0; i < REGISTERS; i++) {
            builder.register(Type.U32);
        }
        for (int i = 0; i < 2; i++) {
            builder.register(Type.PRED);
        }
        List<Register> all = builder.registers;
        for (int i = 0; i < REGISTERS; i++) {
            Operand source =
                    switch (random.nextInt(3)) {
                        case 0 -> new Operand.Special(SpecialRegister.TID, 0);
                        case 1 -> new Operand.Special(SpecialRegister.TID, 1);
                        default -> new Operand.IntegerImmediate(random.nextInt(4), false);
                    };
            if (random.nextInt(8) != 0) {
                builder.add(null, Opcode.MOV, List.of(Type.U32), all.get(i), source);
            }
        }
        int blocks = 2 + random.nextInt(8);
        for (int block = 0; block < blocks; block++) {
            builder.label("L" + block);
            for (int i = random.nextInt(5); i > 0; i--) {
                operation(builder, random);
            }
            Register guard = random.nextInt(3) == 0 ? null : all.get(REGISTERS + random.nextInt(2));
            switch (random.nextInt(8)) {
                case 0 -> builder.add(guard, Opcode.RET);
                case 1, 2 -> {}
                default -> builder.branch(guard, "L" + random.nextInt(blocks));
            }
        }
        return builder.build();
    }

    private static void operation(Bodies.Builder builder, RandomGenerator random) {
        List<Register> all = builder.registers;
        Register to = all.get(random.nextInt(REGISTERS));
        Register a = all.get(random.nextInt(REGISTERS));
        Operand b =
                random.nextInt(3) == 0
                        ? new Operand.IntegerImmediate(random.nextInt(5), false)
                        : all.get(random.nextInt(REGISTERS));
        Register predicate = all.get(REGISTERS + random.nextInt(2));
        Register guard = random.nextInt(4) == 0 ? all.get(REGISTERS + random.nextInt(2)) : null;
        Operand amount = new Operand.IntegerImmediate(random.nextInt(3), false);
        switch (random.nextInt(9)) {
            case 0 -> builder.add(guard, Opcode.ADD, List.of(Type.U32), to, a, b);
            case 1 -> builder.add(guard, Opcode.SUB, List.of(Type.U32), to, a, b);
            case 2 -> builder.add(guard, Opcode.MUL, List.of(Modifier.LO, Type.U32), to, a, b);
            case 3 -> builder.add(guard, Opcode.SHL, List.of(Type.B32), to, a, amount);
            case 4 -> builder.add(guard, Opcode.AND, List.of(Type.B32), to, a, b);
            case 5 -> builder.add(guard, Opcode.SELP, List.of(Type.B32), to, a, b, predicate);
            case 6 -> builder.add(guard, Opcode.MOV, List.of(Type.U32), to, b);
            default ->
                    builder.add(
                            guard, Opcode.SETP, List.of(Modifier.LT, Type.S32), predicate, a, b);
        }
    }
}
