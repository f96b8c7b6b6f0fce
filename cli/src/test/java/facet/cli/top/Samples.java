package facet.cli.top;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What a daemon with devices of two multiprocessors could have said, two seconds apart. */
final class Samples {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Samples() {}

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static Sample of(long seconds, String devices, String slices, String sessions) {
        long nanos = seconds * 1_000_000_000L;
        return new Sample(
                new Sample.Rows(nanos, json(devices)),
                new Sample.Rows(nanos, json(slices)),
                new Sample.Rows(nanos, json(sessions)));
    }

    private static final String DEVICE = device(5_000_000_000L);

    /** A list with one device. */
    private static String device(long nanos) {
        return "["
                + device(0, nanos)
                        .replace(
                                "'used':0,'resident':0,'movedOut':0",
                                "'used':6442450944,"
                                        + "'resident':4294967296,'movedOut':2147483648")
                + "]";
    }

    private static String device(int number, long nanos) {
        return ("{'device':%d,'name':'Facet Software GPU','multiprocessors':2,'memory':8589934592,"
                        + "'used':0,'resident':0,'movedOut':0,'deviceNanos':%d}")
                .formatted(number, nanos);
    }

    /** Three devices, of which the second has worked. */
    static Sample three(long seconds, long nanos) {
        String slice =
                ("{'name':'default','memory':8589934592,'memoryUsed':0,'devices':3,'sessions':1,"
                                + "'launches':9,'deviceNanos':%d,'waitNanos':%d,'faults':1,"
                                + "'lastFault':'bad (7): fault: an illegal address','policy':'burst',"
                                + "'promised':0,'priority':0}")
                        .formatted(nanos, nanos / 2);
        return of(
                seconds,
                "[" + device(0, 0) + "," + device(1, nanos) + "," + device(2, 0) + "]",
                "[" + slice + "]",
                "[]");
    }

    static Sample before() {
        return of(
                10,
                DEVICE,
                """
                [{'name':'default','memory':8589934592,'memoryUsed':0,'devices':1,'sessions':0,
                  'launches':0,'deviceNanos':0,'waitNanos':0,'faults':0,'policy':'burst',
                  'promised':0,'priority':0},
                 {'name':'training','memory':8589934592,'memoryUsed':6442450944,
                  'memoryResident':4294967296,'devices':1,'sessions':2,'launches':1000,
                  'deviceNanos':5000000000,'waitNanos':100000000,'faults':0,'policy':'burst',
                  'promised':60,'priority':0}]
                """,
                """
                [{'session':1,'slice':'training','pid':4242,'program':'train','memoryUsed':1024,
                  'launches':1000,'deviceNanos':5000000000}]
                """);
    }

    static Sample after() {
        return of(
                12,
                device(7_800_000_000L),
                """
                [{'name':'default','memory':8589934592,'memoryUsed':0,'devices':1,'sessions':0,
                  'launches':0,'deviceNanos':0,'waitNanos':0,'faults':0,'policy':'burst',
                  'promised':0,'priority':0},
                 {'name':'training','memory':8589934592,'memoryUsed':6442450944,
                  'memoryResident':4294967296,'devices':1,'sessions':2,'launches':25000,
                  'deviceNanos':7400000000,'waitNanos':300000000,'faults':0,'policy':'burst',
                  'promised':60,'priority':0},
                 {'name':'a-slice-with-quite-a-long-name','memory':1610612736,'memoryUsed':1536,
                  'devices':1,'sessions':1,'launches':7,'deviceNanos':400000000,
                  'policy':'time-slice','promised':10,'priority':0,'faults':2}]
                """,
                """
                [{'session':1,'slice':'training','pid':4242,'program':'train','memoryUsed':1024,
                  'launches':25000,'deviceNanos':7400000000},
                 {'session':2,'slice':'a-slice-with-quite-a-long-name','pid':4300,
                  'program':'render','memoryUsed':1536,'launches':7,'deviceNanos':400000000}]
                """);
    }

    /** So many slices, and nothing known of them but their names. */
    static Sample many(int slices) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < slices; i++) {
            rows.append(i == 0 ? "" : ",").append("{'name':'s%03d'}".formatted(i));
        }
        return of(10, DEVICE, "[" + rows + "]", "[]");
    }
}
