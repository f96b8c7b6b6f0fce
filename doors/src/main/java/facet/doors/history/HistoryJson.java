package facet.doors.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The answer, number by number: an hour of many slices is some million of them. */
final class HistoryJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int KIBIBYTE = 1024;

    private final ByteArrayBuilder bytes = new ByteArrayBuilder();
    private final JsonGenerator json;
    private final Points points;
    private final char[] digits = new char[24];

    HistoryJson(Points points, Instant now) {
        this.points = points;
        try {
            json = FACTORY.createGenerator(bytes);
            json.writeStartObject();
            json.writeNumberField("now", now.toEpochMilli());
            json.writeNumberField("start", points.start());
            json.writeNumberField("step", points.step());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void devices(Column[] busy, Column[] memory) {
        try {
            json.writeArrayFieldStart("devices");
            for (int i = 0; i < busy.length; i++) {
                json.writeStartObject();
                json.writeNumberField("device", i);
                percent("busy", busy[i]);
                memory("memoryUsed", memory[i]);
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void slices(List<Track> slices) {
        try {
            json.writeArrayFieldStart("slices");
            for (Track each : slices) {
                json.writeStartObject();
                json.writeStringField("name", each.name());
                percent("got", each.got());
                if (!each.gotByDevice().isEmpty()) {
                    json.writeObjectFieldStart("gotOn");
                    for (Map.Entry<Integer, Column> one : each.gotByDevice().entrySet()) {
                        percent(Integer.toString(one.getKey()), one.getValue());
                    }
                    json.writeEndObject();
                }
                percent("wanted", each.wanted());
                percent("waiting", each.waiting());
                memory("memoryUsed", each.memory());
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void percent(String name, Column column) throws IOException {
        json.writeArrayFieldStart(name);
        for (int i = 0; i < points.count(); i++) {
            long value = points.mean(column, i, 1);
            if (value == Long.MIN_VALUE) {
                json.writeNull();
            } else {
                hundredths(value);
            }
        }
        json.writeEndArray();
    }

    private void memory(String name, Column column) throws IOException {
        json.writeArrayFieldStart(name);
        for (int i = 0; i < points.count(); i++) {
            long value = points.mean(column, i, KIBIBYTE);
            if (value == Long.MIN_VALUE) {
                json.writeNull();
            } else {
                json.writeNumber(value);
            }
        }
        json.writeEndArray();
    }

    /** 1234 as 12.34, 1200 as 12. */
    private void hundredths(long value) throws IOException {
        long whole = value / 100;
        int part = (int) (value % 100);
        if (part == 0) {
            json.writeNumber(whole);
            return;
        }
        int at = digits.length;
        if (part % 10 != 0) {
            digits[--at] = (char) ('0' + part % 10);
        }
        digits[--at] = (char) ('0' + part / 10);
        digits[--at] = '.';
        do {
            digits[--at] = (char) ('0' + whole % 10);
            whole /= 10;
        } while (whole > 0);
        json.writeNumber(digits, at, digits.length - at);
    }

    byte[] bytes() {
        try {
            json.writeEndObject();
            json.writeRaw('\n');
            json.close();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
