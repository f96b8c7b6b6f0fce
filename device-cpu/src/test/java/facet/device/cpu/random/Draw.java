package facet.device.cpu.random;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Random choices, names and operands for a kernel. Registers {@code %v} differ between threads,
 * {@code %u} are the same in all living threads of a block, {@code %w %f %d} are 64-bit and float
 * variables; {@code %t %l %p} are temporaries, each written before it is read and never used again.
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
        return switch (random.nextInt(12)) {
            case 0 -> uniform();
            case 1 -> "%thread";
            case 2 -> "%lane";
            case 3 -> "%s" + random.nextInt(6);
            case 4 -> Integer.toString(random.nextInt(64));
            case 5 -> Integer.toString(random.nextInt());
            default -> variable();
        };
    }

    /** Registers that the kernel declares. */
    String registers() {
        return """
                .reg .b32 %%v<%d>, %%u<4>, %%t<%d>, %%s<6>, %%thread, %%lane, %%cell, %%h;
                .reg .b64 %%w<3>, %%l<%d>, %%memory, %%own;
                .reg .f32 %%f<3>;
                .reg .f64 %%d<2>;
                .reg .pred %%p<%d>, %%true;
                """
                .formatted(variables, temporaries + 1, longs + 1, predicates + 1);
    }
}
