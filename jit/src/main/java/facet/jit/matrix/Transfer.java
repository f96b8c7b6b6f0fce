package facet.jit.matrix;

import facet.jit.runtime.Block;
import facet.jit.runtime.Ranges;
import facet.jit.runtime.WarpTask;

/**
 * {@code wmma.load} and {@code wmma.store}: a matrix in memory, line after line. PTX asks for the
 * same address and stride in all lanes; those of the first lane count.
 *
 * @param store to memory rather than from it
 * @param byColumns whether lines are columns
 * @param strideSlot of the register with the stride; -1 where it is constant
 * @param stride from line to line, in PTX's elements
 */
public record Transfer(
        Fragment fragment,
        Registers registers,
        boolean store,
        boolean byColumns,
        Pointer pointer,
        int strideSlot,
        long stride)
        implements WarpTask {

    @Override
    public void perform(Block block, int first, int end, int living, int line) {
        int leader = first + Integer.numberOfTrailingZeros(living);
        long start = pointer.at(block, leader);
        long step =
                strideSlot < 0
                        ? stride
                        : Integer.toUnsignedLong(block.ints[strideSlot * block.threads + leader]);
        Element element = fragment.element();
        int lines = byColumns ? fragment.columns() : fragment.rows();
        int bytes = (byColumns ? fragment.rows() : fragment.columns()) * element.bits() / 8;
        int bits = element.bits() / element.width();
        int alignment = bits < 8 ? 4 : bits / 8;
        long[] raw = new long[lines];
        for (int i = 0; i < lines; i++) {
            // Bounded: below 2^5 lines of 2^32 elements of 2^6 bits. The address itself may wrap.
            long address = start + i * step * bits / 8;
            raw[i] =
                    Ranges.resolve(
                            block, leader, pointer.space(), address, bytes, alignment, store, line);
        }
        Scratch scratch = Scratch.own();
        if (element == Element.F64) {
            wide(block, first, end, living, raw, bytes, scratch);
        } else {
            narrow(block, first, end, living, raw, bytes, scratch);
        }
    }

    private void narrow(
            Block block, int first, int end, int living, long[] raw, int bytes, Scratch scratch) {
        int[] memory = scratch.intA;
        int[] words = scratch.words;
        if (store) {
            registers.read(block, first, end, living, words);
            pack(words, memory);
            for (int i = 0; i < raw.length; i++) {
                ArraysUnsafe.store(memory, i * bytes, raw[i], bytes);
            }
            return;
        }
        for (int i = 0; i < raw.length; i++) {
            ArraysUnsafe.load(raw[i], memory, i * bytes, bytes);
        }
        unpack(memory, words);
        registers.write(block, first, end, words);
    }

    private boolean isSum() {
        return switch (fragment.element()) {
            case F32, S32, F64 -> true;
            case F16 -> fragment.registers() == 4;
            case BF16, TF32, E4M3, E5M2, S8, U8, S4, U4, B1 -> false;
        };
    }

    /** Where an element by its place by rows lies in memory that is read line after line. */
    private int inMemory(int place) {
        return byColumns
                ? place % fragment.columns() * fragment.rows() + place / fragment.columns()
                : place;
    }

    private void unpack(int[] memory, int[] words) {
        int[] places = fragment.places();
        if (!isSum()) {
            // A and B are kept in the order of memory, as often as registers have room for them.
            int size = fragment.rows() * fragment.columns() / fragment.element().perRegister();
            for (int r = 0; r < fragment.registers() * 32; r += size) {
                System.arraycopy(memory, 0, words, r, size);
            }
        } else if (fragment.element() == Element.F16) {
            for (int i = 0; i < places.length; i += 2) {
                words[i >>> 1] =
                        half(memory, inMemory(places[i]))
                                | half(memory, inMemory(places[i + 1])) << 16;
            }
        } else if (byColumns) {
            for (int i = 0; i < places.length; i++) {
                words[i] = memory[inMemory(places[i])];
            }
        } else {
            System.arraycopy(memory, 0, words, 0, places.length);
        }
    }

    private static int half(int[] memory, int index) {
        return memory[index >>> 1] >>> ((index & 1) << 4) & 0xffff;
    }

    /** Only sums are stored. */
    private void pack(int[] words, int[] memory) {
        int[] places = fragment.places();
        if (fragment.element() == Element.F16) {
            java.util.Arrays.fill(memory, 0, places.length / 2, 0);
            for (int i = 0; i < places.length; i++) {
                int index = inMemory(places[i]);
                memory[index >>> 1] |=
                        (words[i >>> 1] >>> ((i & 1) << 4) & 0xffff) << ((index & 1) << 4);
            }
        } else if (byColumns) {
            for (int i = 0; i < places.length; i++) {
                memory[inMemory(places[i])] = words[i];
            }
        } else {
            System.arraycopy(words, 0, memory, 0, places.length);
        }
    }

    private void wide(
            Block block, int first, int end, int living, long[] raw, int bytes, Scratch scratch) {
        int[] places = fragment.places();
        long[] words = scratch.longs;
        // The upper half of the array is memory: a matrix of doubles has at most 64 elements.
        int memory = 128;
        if (store) {
            registers.read(block, first, end, living, words);
            for (int i = 0; i < places.length; i++) {
                words[memory + inMemory(places[i])] = words[i];
            }
            for (int i = 0; i < raw.length; i++) {
                ArraysUnsafe.store(words, memory * 8 + i * bytes, raw[i], bytes);
            }
            return;
        }
        for (int i = 0; i < raw.length; i++) {
            ArraysUnsafe.load(raw[i], words, memory * 8 + i * bytes, bytes);
        }
        for (int i = 0; i < places.length; i++) {
            words[i] = words[memory + inMemory(places[i])];
        }
        registers.write(block, first, end, words);
    }
}
