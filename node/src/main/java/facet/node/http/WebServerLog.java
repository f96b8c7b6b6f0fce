package facet.node.http;

import facet.node.log.Log;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the web server has to say goes to our log, warnings and worse. */
final class WebServerLog extends Handler {
    /** Held here: the JDK's log manager would forget its settings with it. */
    private static final Logger LOGGER = Logger.getLogger("io.helidon");

    private final SimpleFormatter formatter = new SimpleFormatter();
    private final Log log;

    private WebServerLog(Log log) {
        this.log = log;
    }

    static void to(Log log) {
        for (Handler each : LOGGER.getHandlers()) {
            LOGGER.removeHandler(each);
        }
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.WARNING);
        LOGGER.addHandler(new WebServerLog(log));
    }

    @Override
    public void publish(LogRecord each) {
        if (isLoggable(each)) {
            Throwable thrown = each.getThrown();
            log.warning(
                    "http",
                    formatter.formatMessage(each) + (thrown == null ? "" : ": " + thrown));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
