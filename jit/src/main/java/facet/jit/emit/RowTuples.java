package facet.jit.emit;

import facet.jit.runtime.NarrowVectors;
import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Loads and stores of a row in which each lane has two or four values side by side. Memory is seen
 * as words: a vector of 64-bit values has one for each, of narrower ones words of 32 bits that hold
 * one or several.
 */
final class RowTuples {
    private final VectorUnit unit;
    private final CodeBuilder code;

    RowTuples(VectorUnit unit) {
        this.unit = unit;
        this.code = unit.code;
    }

    /** Whether rows of so many values of the type are known here. */
    static boolean handles(Type type, int count) {
        return switch (type.bits()) {
            case 64 -> count == 2;
            case 32 -> count == 2 || count == 4;
            case 8, 16 -> (count == 2 || count == 4) && NarrowVectors.fit();
            default -> false;
        };
    }

    /** How the values of a lane lie in memory. */
    private record Layout(Type type, int count) {
        private String kind() {
            return type.bits() == 64 ? "B64" : "B32";
        }

        /** Bits of a word that are in memory: all, but of two bytes. */
        private int bits() {
            return Math.min(type.bits() * count, Math.max(32, type.bits()));
        }

        private int words() {
            return type.bits() * count / bits();
        }

        private int valuesOfWord() {
            return count / words();
        }

        /** What is in memory: words, or pairs of bytes. */
        private String inMemory() {
            return bits() == 16 ? "B16" : kind();
        }
    }

    private void pushAt(int raw, Layout layout, int part, int word) {
        int lanes = RowRegisters.lanes(layout.kind());
        // bounded: a row is 512 bytes at most
        long offset = (long) (part * layout.words() + word) * lanes * layout.bits() / 8;
        code.lload(raw);
        if (offset > 0) {
            code.loadConstant(offset).ladd();
        }
    }

    private int keep() {
        int local = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(local);
        return local;
    }

    private int pick(String order, String kind, int a, int b) {
        unit.rows.pick(order, kind, () -> push(a, kind), () -> push(b, kind));
        return keep();
    }

    private void push(int local, String kind) {
        code.aload(local).checkcast(RowCalls.type(kind));
    }

    // ---- loads

    void load(Instruction instruction, int raw) {
        List<Operand> into = Addresses.elements(instruction.operand(0));
        Layout layout = new Layout(instruction.type(), into.size());
        for (int part = 0; part < unit.registers.parts(layout.kind()); part++) {
            int[] vectors = new int[layout.words()];
            for (int word = 0; word < vectors.length; word++) {
                pushAt(raw, layout, part, word);
                unit.rows.load(layout.inMemory());
                if (layout.bits() == 16) {
                    unit.operate("loadedU16");
                }
                vectors[word] = keep();
            }
            int[] words = parted(vectors, layout.kind());
            for (int i = 0; i < into.size(); i++) {
                if (into.get(i) instanceof Register register) {
                    push(words[i / layout.valuesOfWord()], layout.kind());
                    if (layout.valuesOfWord() > 1) {
                        value(layout.type(), i % layout.valuesOfWord(), register.type().bits());
                    }
                    unit.registers.store(register, layout.kind(), part);
                }
            }
        }
    }

    /** From what is side by side in memory to a vector for each word. */
    private int[] parted(int[] vectors, String kind) {
        if (vectors.length == 1) {
            return vectors;
        }
        int evens = pick("EVENS", kind, vectors[0], vectors[1]);
        int odds = pick("ODDS", kind, vectors[0], vectors[1]);
        if (vectors.length == 2) {
            return new int[] {evens, odds};
        }
        int moreEvens = pick("EVENS", kind, vectors[2], vectors[3]);
        int moreOdds = pick("ODDS", kind, vectors[2], vectors[3]);
        return new int[] {
            pick("EVENS", kind, evens, moreEvens),
            pick("EVENS", kind, odds, moreOdds),
            pick("ODDS", kind, evens, moreEvens),
            pick("ODDS", kind, odds, moreOdds)
        };
    }

    /** Replaces words on the stack by one of their values, extended as the type says. */
    private void value(Type type, int index, int width) {
        int word = keep();
        int above = 32 - (index + 1) * type.bits();
        Runnable shifted = () -> shift("shlB32", word, above);
        if (type.isSigned()) {
            unit.rows.shift("shrS32", shifted, 32 - type.bits());
            if (width == 16) {
                code.loadConstant(width);
                unit.operate("zeroExtended");
            }
        } else {
            unit.rows.shift("shrU32", shifted, 32 - type.bits());
        }
    }

    private void shift(String name, int word, int by) {
        if (by == 0) {
            push(word, "B32");
        } else {
            unit.rows.shift(name, () -> push(word, "B32"), by);
        }
    }

    // ---- stores

    void store(Instruction instruction, int raw) {
        List<Operand> from = Addresses.elements(instruction.operand(1));
        Layout layout = new Layout(instruction.type(), from.size());
        for (int part = 0; part < unit.registers.parts(layout.kind()); part++) {
            int[] words = new int[layout.words()];
            for (int word = 0; word < words.length; word++) {
                int first = word * layout.valuesOfWord();
                pushWord(from.subList(first, first + layout.valuesOfWord()), layout, part);
                words[word] = keep();
            }
            int[] vectors = together(words, layout.kind());
            for (int word = 0; word < vectors.length; word++) {
                int vector = vectors[word];
                pushAt(raw, layout, part, word);
                unit.rows.store(
                        layout.inMemory(),
                        () -> {
                            push(vector, layout.kind());
                            if (layout.bits() == 16) {
                                unit.operate("storedB16");
                            }
                        });
            }
        }
    }

    private void pushWord(List<Operand> values, Layout layout, int part) {
        Operand lowest = values.getFirst();
        if (values.size() == 1) {
            String kind = unit.registers.kindOf(lowest, layout.type());
            unit.registers.push(lowest, kind, part);
            if (kind.startsWith("F")) {
                unit.operate(kind.equals("F64") ? "asLongs" : "asInts");
            }
            return;
        }
        // From the highest down: each is shifted out of the way of what comes below it.
        unit.registers.push(values.getLast(), "B32", part);
        for (Operand value : values.reversed().subList(1, values.size())) {
            int higher = keep();
            unit.rows.operate(
                    "orB32",
                    () -> shift("shlB32", higher, layout.type().bits()),
                    () -> {
                        unit.registers.push(value, "B32", part);
                        code.loadConstant(layout.type().bits());
                        unit.operate("zeroExtended");
                    });
        }
    }

    private int[] together(int[] words, String kind) {
        if (words.length == 1) {
            return words;
        }
        if (words.length == 2) {
            return new int[] {
                pick("FIRST", kind, words[0], words[1]), pick("LAST", kind, words[0], words[1])
            };
        }
        int evens = pick("FIRST", kind, words[0], words[2]);
        int odds = pick("FIRST", kind, words[1], words[3]);
        int moreEvens = pick("LAST", kind, words[0], words[2]);
        int moreOdds = pick("LAST", kind, words[1], words[3]);
        return new int[] {
            pick("FIRST", kind, evens, odds),
            pick("LAST", kind, evens, odds),
            pick("FIRST", kind, moreEvens, moreOdds),
            pick("LAST", kind, moreEvens, moreOdds)
        };
    }
}
