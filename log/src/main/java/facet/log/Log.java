package facet.log;

import java.io.PrintStream;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One line an event: time, level, who it is about, text. */
public final class Log {
    /** From what must be read to what helps when looking closely. */
    public enum Level {
        ERROR,
        WARNING,
        INFO,
        DEBUG
    }

    private static final int LONGEST = 2000;

    private final PrintStream out;
    private final Level most;
    private final Format format;
    private final @Nullable Rate rate;

    public Log(PrintStream out, Level most) {
        this(out, most, Format.TEXT);
    }

    public Log(PrintStream out, Level most, Format format) {
        this(out, most, format, null);
    }

    private Log(PrintStream out, Level most, Format format, @Nullable Rate rate) {
        this.out = out;
        this.most = most;
        this.format = format;
        this.rate = rate;
    }

    /**
     * For somebody whose clients decide how much there is to say: a hundred lines at once, then one
     * a second. Lines for debugging are not counted.
     */
    public Log limited() {
        return limited(System::nanoTime);
    }

    Log limited(LongSupplier clock) {
        return new Log(out, most, format, new Rate(clock));
    }

    public boolean isDebug() {
        return most == Level.DEBUG;
    }

    /**
     * @param who a part of the daemon
     */
    public void say(Level level, String who, String text) {
        say(level, Who.part(who), text);
    }

    public void say(Level level, Who who, String text) {
        say(level, who, "", text);
    }

    /**
     * @param event its kind; empty when it is none
     */
    public void say(Level level, Who who, String event, String text) {
        if (level.compareTo(most) > 0) {
            return;
        }
        if (rate != null && level != Level.DEBUG) {
            long leftOut = rate.admit();
            if (leftOut < 0) {
                return;
            }
            if (leftOut > 0) {
                write(level, who, "", leftOut + " lines were too many and are left out");
            }
        }
        write(level, who, event, text);
    }

    private void write(Level level, Who who, String event, String text) {
        out.println(format.line(Instant.now(), level, who, event, text));
    }

    public void error(String part, String text) {
        error(Who.part(part), text);
    }

    public void error(Who who, String text) {
        say(Level.ERROR, who, text);
    }

    public void warning(String part, String text) {
        warning(Who.part(part), text);
    }

    public void warning(Who who, String text) {
        say(Level.WARNING, who, text);
    }

    public void info(String part, String text) {
        info(Who.part(part), text);
    }

    public void info(Who who, String text) {
        say(Level.INFO, who, text);
    }

    public void debug(String part, String text) {
        debug(Who.part(part), text);
    }

    public void debug(Who who, String text) {
        say(Level.DEBUG, who, text);
    }

    /**
     * Text may come from clients: it must not forge lines, drive a terminal, or be written from
     * right to left so that it looks like something else.
     */
    public static String clean(String text) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), LONGEST));
        text.codePoints()
                .limit(LONGEST)
                .forEach(each -> line.appendCodePoint(isHarmless(each) ? each : ' '));
        return line.toString();
    }

    private static boolean isHarmless(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE ->
                    false;
            default -> true;
        };
    }
}
