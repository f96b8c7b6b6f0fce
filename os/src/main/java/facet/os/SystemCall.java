package facet.os;

import java.util.Arrays;
import java.util.List;

/**
 * One line of {@link SystemCalls}: a call, and what its arguments must be. All checks must hold.
 *
 * @param number on x86-64
 */
record SystemCall(String name, int number, List<Check> checks) {
    /** Of one argument, counted from 0. The kernel takes its low 32 bits where it is an int. */
    sealed interface Check {
        /** One of some values. */
        record OneOf(int argument, List<Integer> values) implements Check {}

        /** Of these bits exactly those are set. */
        record Bits(int argument, int mask, int value) implements Check {}

        /** No address. */
        record Null(int argument) implements Check {}
    }

    static SystemCall call(String name, int number, Check... checks) {
        return new SystemCall(name, number, List.of(checks));
    }

    static Check oneOf(int argument, Integer... values) {
        return new Check.OneOf(argument, Arrays.asList(values));
    }

    static Check bits(int argument, int mask, int value) {
        return new Check.Bits(argument, mask, value);
    }

    static Check none(int argument) {
        return new Check.Null(argument);
    }
}
