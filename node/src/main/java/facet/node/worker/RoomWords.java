package facet.node.worker;

import facet.doors.control.ControlException;
import facet.doors.control.Request;
import facet.host.residency.Moves;
import facet.host.residency.RoomReport;
import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What daemon and worker say to each other about room on devices, as text. A worker may say
 * anything: numbers are not below 0, and there are not too many of them.
 */
final class RoomWords {
    private RoomWords() {}

    static Request lend(int device, long number, long bytes, long lacking, boolean own) {
        Map<String, String> values = of(device);
        put(values, "number", number);
        put(values, "bytes", bytes);
        put(values, "lacking", lacking);
        put(values, "own", own ? 1 : 0);
        return new Request("lend", values);
    }

    // ---- reports

    static Request room(int device, RoomReport report) {
        Map<String, String> values = of(device);
        put(values, "number", report.number());
        put(values, "holds", report.holds());
        put(values, "wants", report.wants());
        put(values, "spare", report.spare());
        values.put(
                "parts",
                report.parts().stream().map(RoomWords::text).collect(Collectors.joining("_")));
        return new Request("room", values);
    }

    private static String text(RoomReport.Part part) {
        return numbers(
                LongStream.of(
                        part.bytes(),
                        part.working() ? 1 : 0,
                        part.idleNanos(),
                        part.unusedNanos(),
                        part.waits() ? 1 : 0));
    }

    /**
     * @throws IllegalArgumentException when it is none
     */
    static RoomReport report(Request request) throws ControlException {
        return new RoomReport(
                number(request, "number"),
                number(request, "holds"),
                number(request, "wants"),
                number(request, "spare"),
                parts(request.text("parts")));
    }

    private static List<RoomReport.Part> parts(String text) {
        List<RoomReport.Part> parts = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String each : text.split("_", RoomReport.MOST_PARTS + 1)) {
                long[] numbers = numbers(each);
                if (numbers.length != 5) {
                    throw new IllegalArgumentException("'" + each + "' is no part of a room");
                }
                parts.add(
                        new RoomReport.Part(
                                numbers[0],
                                numbers[1] != 0,
                                numbers[2],
                                numbers[3],
                                numbers[4] != 0));
            }
        }
        return parts;
    }

    // ---- figures

    static Request residency(int device, long resident, long out, Moves moves) {
        Map<String, String> values = of(device);
        put(values, "resident", resident);
        put(values, "out", out);
        put(values, "outs", moves.out());
        put(values, "outBytes", moves.outBytes());
        put(values, "backs", moves.back());
        put(values, "backBytes", moves.backBytes());
        return new Request("residency", values);
    }

    static Moves moves(Request request) throws ControlException {
        return new Moves(
                figure(request, "outs"),
                figure(request, "outBytes"),
                figure(request, "backs"),
                figure(request, "backBytes"));
    }

    /** No figure that is told again and again makes a sum overflow. */
    private static long figure(Request request, String key) throws ControlException {
        return Math.min(number(request, key), 1L << 42);
    }

    // ---- numbers

    static String text(Eviction eviction) {
        return numbers(
                LongStream.of(eviction.leastStay(), eviction.stayPerMove(), eviction.idleAfter()));
    }

    static Eviction eviction(String text) {
        long[] numbers = numbers(text);
        return new Eviction(numbers[0], numbers[1], numbers[2]);
    }

    static String numbers(LongStream numbers) {
        return numbers.mapToObj(Long::toString).collect(Collectors.joining("."));
    }

    /**
     * @throws IllegalArgumentException when one is below 0, or none
     */
    static long[] numbers(String text) {
        long[] numbers = Arrays.stream(text.split("\\.", -1)).mapToLong(Long::parseLong).toArray();
        if (Arrays.stream(numbers).anyMatch(each -> each < 0)) {
            throw new IllegalArgumentException("'" + text + "' is below 0");
        }
        return numbers;
    }

    private static long number(Request request, String key) throws ControlException {
        long number = request.number(key);
        if (number < 0) {
            throw new ControlException(key + " is " + number);
        }
        return number;
    }

    private static Map<String, String> of(int device) {
        Map<String, String> values = new LinkedHashMap<>();
        put(values, "device", device);
        return values;
    }

    private static void put(Map<String, String> values, String key, long number) {
        values.put(key, Long.toString(number));
    }
}
