package facet.cli.top;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jline.keymap.BindingReader;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;

/** Draws samples on the terminal until somebody quits. */
public final class LiveScreen {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int DEFAULT_ROWS = 24;

    private final Terminal terminal;
    private final Theme theme;
    private final Supplier<Sample> source;
    private final Duration interval;
    private final LinkedBlockingQueue<State.Key> keys = new LinkedBlockingQueue<>();
    private final Display display;
    private State state = State.FIRST;
    private Size size;
    private boolean restored;

    private LiveScreen(Terminal terminal, Theme theme, Supplier<Sample> source, Duration interval) {
        this.terminal = terminal;
        this.theme = theme;
        this.source = source;
        this.interval = interval;
        display = new Display(terminal, true);
        size = terminal.getSize();
    }

    /**
     * Returns when somebody quits. What the source throws ends it too; the terminal is as it was
     * before.
     */
    public static void run(Theme theme, Supplier<Sample> source, Duration interval)
            throws IOException, InterruptedException {
        try (Terminal terminal =
                TerminalBuilder.builder()
                        .system(true)
                        .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
                        .build()) {
            new LiveScreen(terminal, theme, source, interval).run();
        }
    }

    private void run() throws InterruptedException {
        Attributes before = terminal.enterRawMode();
        // A signal that ends the JVM must not leave the terminal without echo.
        Thread hook = Thread.ofPlatform().unstarted(() -> restore(before));
        Runtime.getRuntime().addShutdownHook(hook);
        terminal.handle(Terminal.Signal.INT, _ -> keys.add(State.Key.QUIT));
        terminal.handle(Terminal.Signal.WINCH, _ -> keys.add(State.Key.RESIZE));
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.puts(Capability.keypad_xmit);
        terminal.flush();
        Thread reader = Thread.ofPlatform().daemon().name("facet-top-keys").start(this::readKeys);
        try {
            show();
        } finally {
            reader.interrupt();
            restore(before);
            removeHook(hook);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM ends already; the hook finds everything restored.
        }
    }

    private synchronized void restore(Attributes before) {
        if (!restored) {
            restored = true;
            terminal.puts(Capability.keypad_local);
            terminal.puts(Capability.cursor_normal);
            terminal.puts(Capability.exit_ca_mode);
            terminal.setAttributes(before);
            terminal.flush();
        }
    }

    // ---- time and keys

    private void show() throws InterruptedException {
        Sample last = source.get();
        View view = View.between(last, last);
        long due = System.nanoTime() + Math.min(interval.toNanos(), 200_000_000L);
        Painter.Screen screen = draw(view);
        while (true) {
            State.Key key = keys.poll(Math.max(0, due - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (key == State.Key.QUIT) {
                return;
            }
            if (key == State.Key.RESIZE) {
                // A process is started to ask: not with every picture.
                size = terminal.getSize();
                display.clear();
            }
            if (key != null) {
                state = state.press(key, screen.body(), screen.page());
            }
            if (System.nanoTime() >= due) {
                due = System.nanoTime() + interval.toNanos();
                if (!state.paused()) {
                    Sample next = source.get();
                    view = View.between(last, next);
                    last = next;
                }
            }
            screen = draw(view);
        }
    }

    private Painter.Screen draw(View view) {
        int columns = size.getColumns() > 0 ? size.getColumns() : DEFAULT_COLUMNS;
        int rows = size.getRows() > 0 ? size.getRows() : DEFAULT_ROWS;
        Painter.Screen screen = new Painter(theme, columns).screen(view, state, rows);
        display.resize(rows, columns);
        // It takes lines away from the list that it gets.
        display.update(new ArrayList<>(screen.lines()), 0);
        return screen;
    }

    private void readKeys() {
        KeyMap<State.Key> map = Keys.map(terminal);
        BindingReader reader = new BindingReader(terminal.reader());
        while (true) {
            State.Key key = next(reader, map);
            keys.add(key);
            if (key == State.Key.QUIT) {
                return;
            }
        }
    }

    /** The end of the input is the end of the view. */
    private static State.Key next(BindingReader reader, KeyMap<State.Key> map) {
        try {
            State.@Nullable Key key = reader.readBinding(map);
            return key == null ? State.Key.QUIT : key;
        } catch (java.io.IOError | org.jline.reader.EndOfFileException e) {
            return State.Key.QUIT;
        }
    }
}
