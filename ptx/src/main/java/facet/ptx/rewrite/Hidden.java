package facet.ptx.rewrite;

import facet.ptx.Operand;
import facet.ptx.SpecialRegister;
import facet.ptx.Type;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A value that rewritten code has in a register and hands to the functions that need it. */
enum Hidden {
    CTAID_X(0),
    CTAID_Y(1),
    CTAID_Z(2),
    NCTAID_X(3),
    NCTAID_Y(4),
    NCTAID_Z(5),

    /** Address in local memory of a word: whether the thread has ended inside a function. */
    ENDED(6);

    /** Sets of them are bits of an int; so are the following facts about a function. */
    static final int ALL = (1 << 7) - 1;

    /** It starts copies that may be under way when it ends. */
    static final int COPIES = 1 << 7;

    /** It has a barrier of all threads of the block. */
    static final int BARRIERS = 1 << 8;

    /** It has an operation of a warp. */
    static final int WARPS = 1 << 9;

    private final int number;

    Hidden(int number) {
        this.number = number;
    }

    static Hidden of(int number) {
        return values()[number];
    }

    int bit() {
        return 1 << number;
    }

    boolean in(int set) {
        return (set & bit()) != 0;
    }

    Type type() {
        return this == ENDED ? Type.B64 : Type.B32;
    }

    /** As a part of names. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** 0 for x, 1 for y, 2 for z. */
    int lane() {
        return number % 3;
    }

    boolean isBlock() {
        return number < 3;
    }

    /** What stands for the register in rewritten code, if anything does. */
    static @Nullable Hidden of(Operand.Special special) {
        int lane = special.lane();
        if (lane < 0 || lane > 2) {
            return null;
        }
        return switch (special.register()) {
            case CTAID -> of(lane);
            case NCTAID -> of(3 + lane);
            default -> null;
        };
    }

    /** All components of a vector that is read as a whole; nothing for other registers. */
    static int whole(Operand.Special special) {
        return special.register() == SpecialRegister.CTAID
                ? 0b111
                : special.register() == SpecialRegister.NCTAID ? 0b111000 : 0;
    }
}
