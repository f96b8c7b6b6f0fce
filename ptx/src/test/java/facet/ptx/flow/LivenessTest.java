package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LivenessTest {
    private static Instruction only(Bodies.Builder builder) {
        return builder.instructions.getFirst();
    }

    @Test
    void storeReadsAddressAndValue() {
        Bodies.Builder builder = new Bodies.Builder();
        Register a = builder.register(Type.B64);
        Register b = builder.register(Type.B32);
        Register guard = builder.register(Type.PRED);
        builder.add(guard, Opcode.ST, List.of(Type.B32), new Operand.Address(a, 4), b);
        assertEquals(List.of(), DefUse.definitions(only(builder)));
        assertEquals(List.of(guard, a, b), DefUse.uses(only(builder)));
    }

    @Test
    void pairsAndVectorsAreDefinitions() {
        Bodies.Builder builder = new Bodies.Builder();
        Register p = builder.register(Type.PRED);
        Register q = builder.register(Type.PRED);
        Register a = builder.register(Type.B32);
        builder.add(
                null,
                Opcode.SETP,
                List.of(Modifier.EQ, Type.S32),
                new Operand.PredicatePair(p, q),
                a,
                a);
        assertEquals(List.of(p, q), DefUse.definitions(only(builder)));
        Bodies.Builder load = new Bodies.Builder();
        Register x = load.register(Type.F32);
        Register y = load.register(Type.F32);
        Register base = load.register(Type.B64);
        load.add(
                null,
                Opcode.LD,
                List.of(Modifier.V2, Type.F32),
                new Operand.Vector(List.of(x, y)),
                new Operand.Address(base, 0));
        assertEquals(List.of(x, y), DefUse.definitions(only(load)));
        assertEquals(List.of(base), DefUse.uses(only(load)));
    }

    @Test
    void barrierReductionHasAResultAndArrivalHasNone() {
        Bodies.Builder builder = new Bodies.Builder();
        Register p = builder.register(Type.PRED);
        Register q = builder.register(Type.PRED);
        builder.add(
                null,
                Opcode.BAR,
                List.of(Modifier.RED, Modifier.AND, Type.PRED),
                p,
                new Operand.IntegerImmediate(0, false),
                q);
        assertEquals(List.of(p), DefUse.definitions(only(builder)));
        Bodies.Builder arrive = new Bodies.Builder();
        Register a = arrive.register(Type.B32);
        Register b = arrive.register(Type.B32);
        arrive.add(null, Opcode.BAR, List.of(Modifier.ARRIVE), a, b);
        assertEquals(List.of(a, b), DefUse.uses(only(arrive)));
    }

    @Test
    void guardedDefinitionKeepsTheOldValueAlive() {
        Bodies.Builder builder = new Bodies.Builder();
        Register x = builder.register(Type.B32);
        Register y = builder.register(Type.B32);
        Register guard = builder.register(Type.PRED);
        builder.add(guard, Opcode.MOV, x, y);
        builder.add(null, Opcode.ST, List.of(Type.B32), new Operand.Address(null, 0), x);
        Liveness liveness = Liveness.of(ControlFlow.of(builder.build()));
        assertEquals(bits(0, 1, 2), liveness.liveBefore(0));
        assertEquals(bits(0), liveness.liveBefore(1));
        assertEquals(bits(0), liveness.liveAfter(0));
        assertEquals(bits(), liveness.liveAfter(1));
    }

    private static BitSet bits(int... ids) {
        BitSet set = new BitSet();
        for (int id : ids) {
            set.set(id);
        }
        return set;
    }

    /** A register is alive where some path reads it before a definition that replaces it. */
    @Test
    void randomBodiesAgreeWithSearchAlongPaths() {
        long seed = Long.getLong("facet.seed", 71L);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Body body = Bodies.random(random);
            ControlFlow flow = ControlFlow.of(body);
            Liveness liveness = Liveness.of(flow);
            List<List<Integer>> next = instructionGraph(body);
            for (int i = 0; i < body.instructions().size(); i++) {
                BitSet expected = new BitSet();
                if (flow.blockOf(i) >= 0) {
                    for (Register register : body.registers()) {
                        BitSet seen = new BitSet();
                        if (readFirst(body, next, i, register, seen)) {
                            expected.set(register.id());
                        }
                    }
                }
                assertEquals(expected, liveness.liveBefore(i), "seed " + seed + " round " + round);
            }
        }
    }

    private static List<List<Integer>> instructionGraph(Body body) {
        List<List<Integer>> next = new ArrayList<>();
        for (int i = 0; i < body.instructions().size(); i++) {
            Instruction instruction = body.instructions().get(i);
            List<Integer> list = new ArrayList<>();
            switch (instruction.opcode()) {
                case BRA -> list.add(body.label(((Operand.Symbol) instruction.operand(0)).name()));
                case BRX ->
                        body.targets(((Operand.Symbol) instruction.operand(1)).name())
                                .names()
                                .forEach(name -> list.add(body.label(name)));
                default -> {}
            }
            if (ControlFlow.fallsThrough(instruction)) {
                list.add(i + 1);
            }
            next.add(list);
        }
        return next;
    }

    private static boolean readFirst(
            Body body, List<List<Integer>> next, int at, Register register, BitSet seen) {
        if (at >= body.instructions().size() || seen.get(at)) {
            return false;
        }
        seen.set(at);
        Instruction instruction = body.instructions().get(at);
        if (DefUse.uses(instruction).contains(register)) {
            return true;
        }
        if (DefUse.kills(instruction) && DefUse.definitions(instruction).contains(register)) {
            return false;
        }
        for (int each : next.get(at)) {
            if (readFirst(body, next, each, register, seen)) {
                return true;
            }
        }
        return false;
    }
}
