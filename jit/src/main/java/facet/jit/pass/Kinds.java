package facet.jit.pass;

import facet.ptx.Instruction;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.Body;

/**
 * Which JVM type holds each register. PTX registers are bits and newer compilers declare floats as
 * {@code .b32}; a register that is used mostly as a float lives in a float local, so that loops do
 * not move values between register files.
 */
public final class Kinds {
    /** JVM computational type of a register. */
    public enum Kind {
        INT,
        LONG,
        FLOAT,
        DOUBLE;

        /** Of a value of the type: what is narrower than 32 bits is an int. */
        public static Kind of(Type type) {
            return switch (type) {
                case F32, TF32 -> FLOAT;
                case F64 -> DOUBLE;
                default -> type.bits() <= 32 ? INT : LONG;
            };
        }

        public boolean isWide() {
            return this == LONG || this == DOUBLE;
        }
    }

    private final Kind[] kinds;

    private Kinds(Kind[] kinds) {
        this.kinds = kinds;
    }

    public static Kinds infer(Body body) {
        int[] votes = new int[body.registers().size()];
        for (Instruction instruction : body.instructions()) {
            Type type = instruction.typeAt(0);
            if (type == null
                    || instruction.opcode() == Opcode.MOV && !type.isFloat()
                    || isMatrix(instruction.opcode())) {
                continue;
            }
            for (int i = 0; i < instruction.operands().size(); i++) {
                Type second =
                        instruction.opcode() == Opcode.CVT && i > 0 ? instruction.typeAt(1) : null;
                vote(instruction.operand(i), second == null ? type : second, votes);
            }
        }
        Kind[] kinds = new Kind[votes.length];
        for (Register register : body.registers()) {
            Kind declared = Kind.of(register.type());
            boolean bits = register.type().kind() == Type.Kind.BITS;
            boolean number = bits && votes[register.id()] > 0;
            kinds[register.id()] =
                    switch (register.type().bits()) {
                        case 32 -> number ? Kind.FLOAT : declared;
                        case 64 -> number ? Kind.DOUBLE : declared;
                        default -> declared;
                    };
        }
        return new Kinds(kinds);
    }

    /** Their registers are kept as bits in the block; the type is that of one operand only. */
    private static boolean isMatrix(Opcode opcode) {
        return opcode == Opcode.MMA || opcode == Opcode.WMMA;
    }

    private static void vote(Operand operand, Type type, int[] votes) {
        switch (operand) {
            case Register register -> {
                if (register.type().bits() == type.bits()) {
                    votes[register.id()] +=
                            switch (type) {
                                case F32, F64 -> 1;
                                case B32, B64 -> 0;
                                default -> -1;
                            };
                }
            }
            case Operand.Vector vector ->
                    vector.elements().forEach(each -> vote(each, type, votes));
            case Operand.Element _,
                    Operand.Special _,
                    Operand.IntegerImmediate _,
                    Operand.FloatImmediate _,
                    Operand.Symbol _,
                    Operand.Address _,
                    Operand.NotPredicate _,
                    Operand.PredicatePair _,
                    Operand.Arguments _,
                    Operand.Indexed _,
                    Operand.Sink _ -> {}
        }
    }

    public Kind of(Register register) {
        return kinds[register.id()];
    }
}
