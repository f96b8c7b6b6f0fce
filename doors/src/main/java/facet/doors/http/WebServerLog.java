package facet.doors.http;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the web server has to say goes to our log: warnings and worse, mostly about clients. */
final class WebServerLog extends Handler {
    /** Held here: the JDK's log manager would forget its settings with it. */
    private static final Logger LOGGER = Logger.getLogger("io.helidon");

    private final SimpleFormatter formatter = new SimpleFormatter();
    private final Failures failures;

    private WebServerLog(Failures failures) {
        this.failures = failures;
    }

    static void to(Failures failures) {
        for (Handler each : LOGGER.getHandlers()) {
            LOGGER.removeHandler(each);
        }
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.WARNING);
        LOGGER.addHandler(new WebServerLog(failures));
    }

    @Override
    public void publish(LogRecord each) {
        if (isLoggable(each)) {
            Throwable thrown = each.getThrown();
            failures.add(formatter.formatMessage(each) + (thrown == null ? "" : ": " + thrown));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
