package facet.host.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.host.ledger.Tally;
import org.junit.jupiter.api.Test;

class HandlesTest {
    private final Tally tally = new Tally((session, fault) -> {}, 10);
    private final Handles<String> streams = new Handles<>("stream", 6, tally);
    private final Handles<String> events = new Handles<>("event", 6, tally);

    @Test
    void whatWasThereIsGoneAndWhatWasNeverThereIsAViolation() {
        streams.put(3, "three");
        assertEquals("three", streams.get(3));
        assertEquals("three", streams.remove(3));
        HandleGone gone = assertThrows(HandleGone.class, () -> streams.get(3));
        assertEquals("stream 3 is destroyed", gone.getMessage());
        assertThrows(HandleGone.class, () -> streams.remove(3));
        assertThrows(ProtocolViolation.class, () -> streams.get(4));
        assertThrows(ProtocolViolation.class, () -> streams.get(-1));
        streams.put(3, "again");
        assertEquals("again", streams.get(3));
    }

    @Test
    void aSliceHasSoManyAndNoMore() {
        for (int i = 0; i < 6; i++) {
            streams.put(i, "stream");
        }
        assertThrows(ProtocolViolation.class, () -> streams.put(6, "one more"));
        for (int i = 0; i < 4; i++) {
            events.put(i, "event");
        }
        ProtocolViolation full =
                assertThrows(ProtocolViolation.class, () -> events.put(4, "one more"));
        assertTrue(String.valueOf(full.getMessage()).contains("10 streams, events"));
        streams.remove(0);
        assertThrows(ProtocolViolation.class, () -> events.put(4, "still there"));
        streams.ended();
        events.put(4, "now");
        streams.endAll();
        events.endAll();
        assertEquals(0, tally.objects());
    }
}
