package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Space;
import facet.ptx.SpecialRegister;
import facet.ptx.Statement;
import facet.ptx.Type;
import java.util.List;

/** What stands before and behind a body: where the hidden values come from. */
final class Frames {
    static final int HIDDEN_ALIGNMENT = 8;

    private static final int RANGES_GRID = 12;
    private static final int PERSISTENT_BLOCKS = 12;
    private static final int PERSISTENT_STATE = 16;

    /** The two places of a resident block, used in turns. */
    private static final int PLACE = 16;

    private final BodyNames names;

    Frames(BodyNames names) {
        this.names = names;
    }

    /** Before the body of a function; its hidden parameters have these names. */
    List<Statement> function(int values, boolean inRegisters) {
        List<Statement> code = names.declarations(Role.FUNCTION, values, inRegisters);
        if (!inRegisters) {
            for (Hidden each : Hidden.values()) {
                if (each.in(values)) {
                    code.add(
                            Code.of(
                                    Opcode.LD,
                                    List.of(Space.PARAM, each.type()),
                                    names.value(each),
                                    Code.at(names.fresh.variable(each.text()), 0)));
                }
            }
        }
        return code;
    }

    /** Before the body of a kernel that runs whole: what it hands on. */
    List<Statement> whole(int values) {
        List<Statement> code = names.declarations(Role.WHOLE, values, false);
        for (Hidden each : Hidden.values()) {
            if (each.in(values) && each != Hidden.ENDED) {
                code.add(special(names.value(each), register(each), each.lane()));
            }
        }
        ended(values, code);
        return code;
    }

    /** Before the body of a kernel that is launched box by box. */
    List<Statement> ranges(int values) {
        List<Statement> code = names.declarations(Role.RANGES, values, false);
        for (Hidden each : Hidden.values()) {
            if (!each.in(values)) {
                continue;
            }
            Register value = names.value(each);
            if (each.isBlock()) {
                code.add(special(value, SpecialRegister.CTAID, each.lane()));
                code.add(hidden(names.word, 4L * each.lane()));
                code.add(Code.of(Opcode.ADD, List.of(Type.U32), value, value, names.word));
            } else {
                code.add(hidden(value, RANGES_GRID + 4L * each.lane()));
            }
        }
        return code;
    }

    /**
     * Before the body of a persistent kernel. {@code next} is where threads go that have ended a
     * block: the first thread takes another one and writes it down, all meet, and all read it. The
     * two places are used in turns, so that nobody can still read what is written.
     */
    List<Statement> persistent(int values, boolean copies, List<Statement> meeting) {
        List<Statement> code = names.declarations(Role.PERSISTENT, values, false);
        for (Hidden each : Hidden.values()) {
            if (each.in(values) && !each.isBlock() && each != Hidden.ENDED) {
                code.add(hidden(names.value(each), 4L * each.lane()));
            }
        }
        yes(code);
        code.add(
                Code.of(
                        Opcode.LD,
                        List.of(Space.PARAM, Type.U64),
                        names.state,
                        Code.at(names.hidden, PERSISTENT_STATE)));
        code.add(special(names.word, SpecialRegister.CTAID, 0));
        code.add(
                Code.of(
                        Opcode.MUL,
                        List.of(Modifier.WIDE, Type.U32),
                        names.box,
                        names.word,
                        Code.number(HiddenArguments.STATE_ALIGNMENT)));
        code.add(Code.of(Opcode.ADD, List.of(Type.U64), names.box, names.box, names.state));
        code.add(
                Code.of(
                        Opcode.ADD,
                        List.of(Type.U64),
                        names.box,
                        names.box,
                        Code.number(HiddenArguments.STATE_HEAD)));
        leader(code);
        code.add(Code.label(names.next));
        if (copies) {
            code.add(Code.of(Opcode.CP, List.of(Modifier.ASYNC, Modifier.WAIT_ALL)));
        }
        take(code);
        code.add(Code.label(names.meet));
        code.addAll(meeting);
        read(code);
        ended(values, code);
        return code;
    }

    /** Behind the body of a persistent kernel. */
    Statement again() {
        return Code.of(Opcode.BRA, List.of(), Code.symbol(names.next));
    }

    private void leader(List<Statement> code) {
        code.add(special(names.word, SpecialRegister.TID, 0));
        for (int lane = 1; lane < 3; lane++) {
            code.add(special(names.other, SpecialRegister.TID, lane));
            code.add(Code.of(Opcode.OR, List.of(Type.B32), names.word, names.word, names.other));
        }
        code.add(
                Code.of(
                        Opcode.SETP,
                        List.of(Modifier.EQ, Type.U32),
                        names.leader,
                        names.word,
                        Code.number(0)));
    }

    /** The first thread alone, unless the flag says stop. */
    private void take(List<Statement> code) {
        Register x = names.x;
        Register y = names.y;
        Register z = names.z;
        code.add(jump(Code.unless(names.leader), names.meet));
        for (Register each : List.of(x, y, z, names.given)) {
            code.add(Code.of(Opcode.MOV, List.of(Type.U32), each, Code.number(0)));
        }
        code.add(
                Code.of(
                        Opcode.LD,
                        List.of(Modifier.VOLATILE, Space.GLOBAL, Type.U32),
                        names.word,
                        Code.at(names.state, HiddenArguments.STOP)));
        code.add(compare(Modifier.NE, names.word, Code.number(0)));
        code.add(jump(Code.when(names.predicate), names.give));
        code.add(
                Code.of(
                        Opcode.ATOM,
                        List.of(Space.GLOBAL, Modifier.ADD, Type.U32),
                        names.word,
                        Code.at(names.state, HiddenArguments.TAKEN),
                        Code.number(1)));
        code.add(hidden(names.other, PERSISTENT_BLOCKS));
        code.add(compare(Modifier.GE, names.word, names.other));
        code.add(jump(Code.when(names.predicate), names.give));
        code.add(Code.of(Opcode.MOV, List.of(Type.U32), names.given, Code.number(1)));
        divide(code, y, x, names.word, 0);
        divide(code, z, y, y, 4);
        code.add(Code.label(names.give));
        code.add(
                Code.of(
                        Opcode.ST,
                        List.of(Space.GLOBAL, Modifier.V4, Type.U32),
                        Code.at(names.box, 0),
                        new Operand.Vector(List.of(x, y, z, names.given))));
    }

    /** By a size of the grid; the remainder may be the same register as what is divided. */
    private void divide(
            List<Statement> code, Register result, Register rest, Register from, int size) {
        code.add(hidden(names.other, size));
        List<facet.ptx.Suffix> unsigned = List.of(Type.U32);
        Register whole = result;
        code.add(Code.of(Opcode.DIV, unsigned, whole, from, names.other));
        code.add(
                Code.of(
                        Opcode.MUL,
                        List.of(Modifier.LO, Type.U32),
                        names.other,
                        whole,
                        names.other));
        code.add(Code.of(Opcode.SUB, unsigned, rest, from, names.other));
    }

    private void read(List<Statement> code) {
        code.add(
                Code.of(
                        Opcode.LD,
                        List.of(Space.GLOBAL, Modifier.V4, Type.U32),
                        new Operand.Vector(
                                List.of(
                                        names.value(Hidden.CTAID_X),
                                        names.value(Hidden.CTAID_Y),
                                        names.value(Hidden.CTAID_Z),
                                        names.given)),
                        Code.at(names.box, 0)));
        code.add(Code.of(Opcode.XOR, List.of(Type.B64), names.box, names.box, Code.number(PLACE)));
        code.add(compare(Modifier.EQ, names.given, Code.number(0)));
        code.add(Code.guarded(Code.when(names.predicate), Opcode.RET, List.of()));
    }

    /** The word that functions set when a thread ends in them, cleared for each block. */
    private void ended(int values, List<Statement> code) {
        if (!Hidden.ENDED.in(values)) {
            return;
        }
        Register address = names.value(Hidden.ENDED);
        code.add(0, new Statement.Local(Code.bytes(Space.LOCAL, 4, names.ended, 4)));
        code.add(Code.of(Opcode.MOV, List.of(Type.U64), address, Code.symbol(names.ended)));
        code.add(
                Code.of(
                        Opcode.ST,
                        List.of(Space.LOCAL, Type.U32),
                        Code.at(address, 0),
                        Code.number(0)));
    }

    /** Makes the predicate that is always true. */
    void yes(List<Statement> code) {
        code.add(Code.of(Opcode.MOV, List.of(Type.U32), names.word, Code.number(0)));
        code.add(
                Code.of(
                        Opcode.SETP,
                        List.of(Modifier.EQ, Type.U32),
                        names.yes,
                        names.word,
                        Code.number(0)));
    }

    private Instruction compare(Modifier how, Register first, Operand second) {
        return Code.of(Opcode.SETP, List.of(how, Type.U32), names.predicate, first, second);
    }

    private static Instruction jump(Instruction.Guard guard, String label) {
        return Code.guarded(guard, Opcode.BRA, List.of(), Code.symbol(label));
    }

    private Instruction hidden(Register result, long offset) {
        return Code.of(
                Opcode.LD, List.of(Space.PARAM, Type.U32), result, Code.at(names.hidden, offset));
    }

    private static Instruction special(Register result, SpecialRegister register, int lane) {
        return Code.of(Opcode.MOV, List.of(Type.U32), result, new Operand.Special(register, lane));
    }

    private static SpecialRegister register(Hidden hidden) {
        return hidden.isBlock() ? SpecialRegister.CTAID : SpecialRegister.NCTAID;
    }
}
