package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverWatchTest {
    private static final String TOLD =
            "does not answer: cuMemCreate has taken 5 s; it is given up after 30 s";

    private Optional<Stall> stall = Optional.empty();
    private final List<String> said = new ArrayList<>();
    private final List<String> given = new ArrayList<>();
    private final DriverWatch watch = new DriverWatch(() -> stall, said::add, given::add);

    private void look(int seconds) {
        stall =
                Optional.of(
                        new Stall(
                                "cuMemCreate",
                                Duration.ofSeconds(seconds),
                                Duration.ofSeconds(30)));
        watch.look();
    }

    @Test
    void aCallThatTakesLongIsToldOnceAndItsEndToo() {
        watch.look();
        look(4);
        assertEquals(List.of(), said);
        look(5);
        look(6);
        look(29);
        assertEquals(List.of(TOLD), said);
        stall = Optional.empty();
        watch.look();
        watch.look();
        assertEquals(List.of(TOLD, ""), said);
        assertEquals(List.of(), given);
    }

    @Test
    void oneThatTakesTooLongIsGivenUp() {
        look(5);
        look(30);
        assertEquals(
                List.of(
                        "does not answer: cuMemCreate has taken 30 s; it is given up, and the next"
                                + " program gets a fresh one"),
                given);
    }
}
