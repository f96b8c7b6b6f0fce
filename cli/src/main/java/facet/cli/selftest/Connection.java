package facet.cli.selftest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** To the daemon. A slice that was made through it goes with it. */
public interface Connection extends AutoCloseable {
    /** The daemon's answer; what it refuses is thrown with its own words. */
    JsonNode ask(String verb, Map<String, String> arguments);

    @Override
    void close();
}
