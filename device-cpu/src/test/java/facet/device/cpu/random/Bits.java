package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Type;

/** Integer instructions on single bits and bytes. */
final class Bits {
    private Bits() {}

    static long execute(Lane lane, Instruction instruction) {
        Type type = instruction.type();
        int[] operands = new int[5];
        for (int i = 1; i < instruction.operands().size(); i++) {
            operands[i] = (int) lane.read(instruction.operand(i), Type.B32);
        }
        long wide = lane.read(instruction.operand(1), type);
        int a = operands[1];
        int b = operands[2];
        int c = operands[3];
        return switch (instruction.opcode()) {
            case POPC -> Long.bitCount(wide);
            case CLZ -> Long.numberOfLeadingZeros(wide) - (64 - type.bits());
            case BREV -> Long.reverse(wide) >>> (64 - type.bits());
            case BFE -> extract(type, a, b & 0xff, c & 0xff);
            case BFI -> insert(a, b, c & 0xff, operands[4] & 0xff);
            case LOP3 -> logic(a, b, c, operands[4]);
            case PRMT -> permute(a, b, c);
            case SHF -> funnel(instruction, a, b, c);
            default -> throw new IllegalStateException(instruction.mnemonic());
        };
    }

    private static int extract(Type type, int a, int position, int length) {
        boolean negative =
                type.isSigned() && length > 0 && bit(a, Math.min(position + length - 1, 31)) != 0;
        int result = 0;
        for (int i = 0; i < 32; i++) {
            boolean inside = i < length && position + i <= 31;
            int value = inside ? bit(a, position + i) : negative ? 1 : 0;
            result |= value << i;
        }
        return result;
    }

    private static int bit(int value, int position) {
        return value >>> position & 1;
    }

    private static int insert(int a, int b, int position, int length) {
        int result = b;
        for (int i = 0; i < length && position + i <= 31; i++) {
            result = result & ~(1 << position + i) | bit(a, i) << position + i;
        }
        return result;
    }

    private static int logic(int a, int b, int c, int table) {
        int result = 0;
        for (int i = 0; i < 32; i++) {
            int row = bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i);
            result |= bit(table, row) << i;
        }
        return result;
    }

    private static int permute(int a, int b, int selectors) {
        long bytes = a & 0xffff_ffffL | (long) b << 32;
        int result = 0;
        for (int i = 0; i < 4; i++) {
            int selector = selectors >>> 4 * i & 15;
            int value = (int) (bytes >>> 8 * (selector & 7)) & 0xff;
            if (selector > 7) {
                value = value > 127 ? 0xff : 0;
            }
            result |= value << 8 * i;
        }
        return result;
    }

    private static int funnel(Instruction instruction, int low, int high, int amount) {
        long both = low & 0xffff_ffffL | (long) high << 32;
        int count =
                instruction.has(Modifier.WRAP)
                        ? amount & 31
                        : Integer.compareUnsigned(amount, 32) > 0 ? 32 : amount;
        return instruction.has(Modifier.L) ? (int) (both << count >>> 32) : (int) (both >>> count);
    }
}
