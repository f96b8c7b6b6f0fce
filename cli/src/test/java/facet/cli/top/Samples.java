package facet.cli.top;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What a daemon with one device of two multiprocessors could have said, two seconds apart. */
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

    private static final String DEVICE =
            "[{'device':0,'name':'Facet Software GPU','multiprocessors':2,'memory':8589934592,"
                    + "'used':6442450944,'resident':4294967296,'movedOut':2147483648}]";

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
                DEVICE,
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
