package facet.device.cpu.random;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Random choices, names and operands for a kernel. Registers {@code %v} differ between threads,
 * {@code %u} are the same in all living threads of a block, {@code %x} are computed from what is
 * the same in all threads but on whatever way, {@code %a} change by a fixed amount from thread to
 * thread unless the ways part; {@code %w %f %d} are 64-bit and float variables; {@code %t %l %p}
 * are temporaries, each written before it is read and never used again.
 */
final class Draw {
    private final SplittableRandom random;
    final int variables;
    private int temporaries;
    private int longs;
    private int predicates;
    private int labels;

    Draw(SplittableRandom random, int variables) {
        this.random = random;
        this.variables = variables;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    int any() {
        return random.nextInt();
    }

    boolean chance(int in) {
        return random.nextInt(in) == 0;
    }

    String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    String temporary() {
        return "%t" + temporaries++;
    }

    String longTemporary() {
        return "%l" + longs++;
    }

    String predicate() {
        return "%p" + predicates++;
    }

    String label() {
        return "L" + labels++;
    }

    String variable() {
        return "%v" + random.nextInt(variables);
    }

    String uniform() {
        return "%u" + random.nextInt(4);
    }

    String wide() {
        return "%w" + random.nextInt(3);
    }

    /** Something to read, of 32 bits. */
    String operand() {
        return switch (random.nextInt(13)) {
            case 0 -> chance(2) ? uniform() : "%x" + random.nextInt(4);
            case 1 -> "%thread";
            case 2 -> "%lane";
            case 3 -> "%s" + random.nextInt(6);
            case 4 -> Integer.toString(random.nextInt(64));
            case 5 -> Integer.toString(any());
            case 6 -> "%a" + random.nextInt(4);
            default -> variable();
        };
    }

    /** Registers that the kernel declares. */
    String registers() {
        return """
        .reg .%s %%v<%d>;
        .reg .%s %%f<3>;
        .reg .%s %%d<2>;
        .reg .b32 %%u<4>, %%x<4>, %%a<4>, %%t<%d>, %%s<6>, %%thread, %%lane, %%cell, %%h;
        .reg .b64 %%w<3>, %%l<%d>, %%memory, %%own, %%dense, %%input;
        .reg .b16 %%k<2>;
        .reg .pred %%p<%d>, %%q<3>, %%true;
        """
                .formatted(
                        one("b32", "u32", "s32"),
                        variables,
                        one("b32", "f32"),
                        one("b64", "f64"),
                        temporaries + 1,
                        longs + 1,
                        predicates + 1);
    }
}
