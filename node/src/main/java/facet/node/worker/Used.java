package facet.node.worker;

import facet.host.session.SessionHost;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a session of a worker has used, as it is told: {@code launches_nanos.…_bytes.…}. A request
 * would write other signs with three characters each.
 *
 * @param nanos device time, by device
 * @param bytes of device memory, by device
 */
record Used(long launches, long[] nanos, long[] bytes) {
    static Used none(int devices) {
        return new Used(0, new long[devices], new long[devices]);
    }

    static Used of(SessionHost host, int devices) {
        long[] nanos = new long[devices];
        long[] bytes = new long[devices];
        for (int i = 0; i < devices; i++) {
            nanos[i] = host.usage().deviceNanos(i);
            bytes[i] = host.memoryUsed(i);
        }
        return new Used(host.usage().launches(), nanos, bytes);
    }

    /**
     * @param devices how many there must be
     * @throws IllegalArgumentException when it is no such text: a worker runs strangers' code
     */
    static Used parse(String text, int devices) {
        String[] parts = text.split("_", 4);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text + "' is not what a session has used");
        }
        Used used = new Used(Long.parseLong(parts[0]), numbers(parts[1]), numbers(parts[2]));
        boolean fits =
                used.launches >= 0
                        && used.nanos.length == devices
                        && used.bytes.length == devices
                        && Arrays.stream(used.nanos).allMatch(each -> each >= 0)
                        && Arrays.stream(used.bytes).allMatch(each -> each >= 0);
        if (!fits) {
            throw new IllegalArgumentException("'" + text + "' is not what a session has used");
        }
        return used;
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.split("\\.", -1)).mapToLong(Long::parseLong).toArray();
    }

    String text() {
        return launches + "_" + text(nanos) + "_" + text(bytes);
    }

    private static String text(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining("."));
    }

    /** It has ended and given its memory back. */
    Used withoutMemory() {
        return new Used(launches, nanos, new long[bytes.length]);
    }

    static long sum(long[] numbers) {
        return Arrays.stream(numbers).sum();
    }
}
