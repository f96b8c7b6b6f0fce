package facet.node.log;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** One line an event: time, level, who it is about, text. */
public final class Log {
    /** From what must be read to what helps when looking closely. */
    public enum Level {
        ERROR,
        WARNING,
        INFO,
        DEBUG
    }

    private final PrintStream out;
    private final Level most;

    public Log(PrintStream out, Level most) {
        this.out = out;
        this.most = most;
    }

    public boolean isDebug() {
        return most == Level.DEBUG;
    }

    /**
     * @param who a session, a slice, or the daemon
     */
    public void say(Level level, String who, String text) {
        if (level.compareTo(most) > 0) {
            return;
        }
        String line = clean(text);
        out.println(
                Instant.now().truncatedTo(ChronoUnit.MILLIS)
                        + " "
                        + level.name().toLowerCase(java.util.Locale.ROOT)
                        + " ["
                        + clean(who)
                        + "] "
                        + line);
    }

    public void error(String who, String text) {
        say(Level.ERROR, who, text);
    }

    public void warning(String who, String text) {
        say(Level.WARNING, who, text);
    }

    public void info(String who, String text) {
        say(Level.INFO, who, text);
    }

    public void debug(String who, String text) {
        say(Level.DEBUG, who, text);
    }

    /** Text may come from clients: it must not forge lines or drive a terminal. */
    private static String clean(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints()
                .forEach(each -> line.appendCodePoint(Character.isISOControl(each) ? ' ' : each));
        return line.toString();
    }
}
