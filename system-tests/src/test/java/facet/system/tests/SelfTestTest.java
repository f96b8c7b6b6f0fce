package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** {@code facet selftest} on a daemon: those promises that a busy machine does not change. */
class SelfTestTest {
    @Test
    void limitsAndFaults() throws Exception {
        try (Daemon daemon = Daemon.start("512M")) {
            Outcome outcome =
                    Cli.facet(daemon, "selftest", "--only", "quota,faults,calls", "-o", "json");
            assertTrue(outcome.ok(), outcome::report);
            JsonNode answer = new ObjectMapper().readTree(outcome.output());
            assertEquals(1, answer.path("devices").size());
            assertEquals(
                    "[HELD, HELD, HELD, HELD, HELD, TOLD, TOLD, TOLD]",
                    answer.path("promises").findValuesAsText("verdict").toString(),
                    outcome::report);
            try (Control control = daemon.control()) {
                assertEquals(1, control.ask("slices").path("slices").size(), "all are gone");
            }
        }
    }

    /** One third of the device is taken: 70 and 30 % cannot be promised beside it. */
    @Test
    void whatCannotBeTriedSaysWhy() throws Exception {
        try (Daemon daemon = Daemon.start("512M");
                Control control = daemon.control()) {
            control.ask("slice-create name=mine compute=40 policy=fixed memory=64M");
            Outcome outcome = Cli.facet(daemon, "selftest", "--only", "shares", "--seconds", "1");
            assertEquals(1, outcome.status(), outcome::report);
            assertTrue(outcome.output().contains("not tried"), outcome::report);
            assertTrue(outcome.output().contains("would be promised"), outcome::report);
        }
    }
}
