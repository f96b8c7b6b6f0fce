package facet.ptx.rewrite;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Register;
import java.util.BitSet;

/**
 * Numbers of barriers. Persistent blocks end each block at a barrier of all threads; where the
 * kernel has such barriers too they share one number, else it gets one that nothing uses.
 *
 * <p>Barriers of all threads may share a number: a thread that waits at one of them waits for all
 * others, which therefore cannot be waiting at another one.
 */
final class Barriers {
    private static final int NUMBERS = 16;

    /** For the barrier of all threads; -1 when there is none left. */
    final int number;

    /** Whether all barriers of the module can be told apart by their numbers. */
    final boolean clean;

    private Barriers(int number, boolean clean) {
        this.number = number;
        this.clean = clean;
    }

    /** Tells the bodies what stands in their way. */
    static Barriers of(Scan scan) {
        BitSet counted = new BitSet();
        BitSet whole = new BitSet();
        boolean clean = true;
        boolean anyCounted = false;
        for (Facts body : scan.bodies.values()) {
            for (Instruction each : body.counted) {
                anyCounted = true;
                int number = number(each);
                clean &= number >= 0 && !each.has(Modifier.ARRIVE);
                if (number >= 0) {
                    counted.set(number);
                } else {
                    body.persistent(
                            each.position(),
                            each.mnemonic() + " has its number in a register; any may be in use");
                }
            }
        }
        for (Facts body : scan.bodies.values()) {
            for (Instruction each : body.whole) {
                int number = number(each);
                if (each.has(Modifier.RED) && !isPredicate(each.operand(2))) {
                    clean = false;
                    body.persistent(
                            each.position(),
                            each.mnemonic() + " needs a register as its predicate");
                }
                if (number >= 0 && !counted.get(number)) {
                    whole.set(number);
                } else if (number >= 0 || anyCounted) {
                    clean = false;
                    body.persistent(
                            each.position(),
                            each.mnemonic()
                                    + " waits for all threads at a number at which others count"
                                    + " them");
                }
            }
        }
        int number = whole.isEmpty() ? counted.nextClearBit(0) : whole.nextSetBit(0);
        return new Barriers(number < NUMBERS ? number : -1, clean);
    }

    private static boolean isPredicate(Operand operand) {
        return operand instanceof Register || operand instanceof Operand.NotPredicate;
    }

    /** The constant number of a barrier, or -1. */
    private static int number(Instruction barrier) {
        int at = barrier.has(Modifier.RED) ? 1 : 0;
        return at < barrier.operands().size()
                        && barrier.operand(at) instanceof Operand.IntegerImmediate constant
                        && constant.value() >= 0
                        && constant.value() < NUMBERS
                ? (int) constant.value()
                : -1;
    }

    /** Whether a body has barriers of all threads that combine predicates. */
    static boolean combines(Facts body) {
        return body.whole.stream().anyMatch(each -> each.has(Modifier.RED));
    }
}
