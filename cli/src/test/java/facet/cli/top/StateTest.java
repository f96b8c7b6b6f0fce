package facet.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jline.keymap.BindingReader;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StateTest {
    @Test
    void sortingGoesRound() {
        State state = State.FIRST;
        List<String> seen = new ArrayList<>();
        do {
            seen.add(state.sortName());
            state = state.press(State.Key.SORT, 5, 5);
        } while (!state.equals(State.FIRST));
        assertEquals(SliceColumn.values().length + 1, seen.size());
        assertTrue(seen.contains("SLICE"), seen::toString);
    }

    @Test
    void keysChangeWhatTheySay() {
        assertTrue(State.FIRST.press(State.Key.REVERSE, 5, 5).reversed());
        assertTrue(State.FIRST.press(State.Key.PAUSE, 5, 5).paused());
        assertFalse(State.FIRST.press(State.Key.PAUSE, 5, 5).press(State.Key.PAUSE, 5, 5).paused());
        assertEquals(State.FIRST, State.FIRST.press(State.Key.OTHER, 5, 5));
        assertEquals(0, State.FIRST.press(State.Key.UP, 50, 5).scroll());
        assertEquals(0, State.FIRST.press(State.Key.DOWN, 3, 5).scroll());
        assertEquals(45, State.FIRST.press(State.Key.END, 50, 5).scroll());
        assertEquals(
                40,
                State.FIRST.press(State.Key.END, 50, 5).press(State.Key.PAGE_UP, 50, 5).scroll());
        assertEquals(
                0, State.FIRST.press(State.Key.END, 50, 5).press(State.Key.HOME, 50, 5).scroll());
    }

    @Test
    void aLargerScreenScrollsBack() {
        assertEquals(
                10,
                State.FIRST.press(State.Key.END, 50, 5).press(State.Key.RESIZE, 50, 40).scroll());
    }

    @Test
    void anyKeyClosesTheHelpAndDoesNothingElse() {
        State help = State.FIRST.press(State.Key.HELP, 5, 5);
        assertTrue(help.help());
        assertTrue(help.press(State.Key.RESIZE, 5, 5).help());
        for (State.Key each :
                List.of(State.Key.SORT, State.Key.PAUSE, State.Key.HELP, State.Key.OTHER)) {
            assertEquals(State.FIRST, help.press(each, 5, 5));
        }
    }

    @Test
    @Timeout(300)
    void whatATerminalSendsIsUnderstood() throws IOException {
        String typed = "s\033[A\033OB\033[5~\033[6~z? pr\u00e9q";
        List<State.Key> expected =
                List.of(
                        State.Key.SORT,
                        State.Key.UP,
                        State.Key.DOWN,
                        State.Key.PAGE_UP,
                        State.Key.PAGE_DOWN,
                        State.Key.OTHER,
                        State.Key.HELP,
                        State.Key.PAUSE,
                        State.Key.PAUSE,
                        State.Key.REVERSE,
                        State.Key.OTHER,
                        State.Key.QUIT);
        try (Terminal terminal =
                new DumbTerminal(
                        "test",
                        "xterm",
                        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        new ByteArrayOutputStream(),
                        StandardCharsets.UTF_8)) {
            KeyMap<State.Key> map = Keys.map(terminal);
            BindingReader reader = new BindingReader(terminal.reader());
            List<State.Key> got = new ArrayList<>();
            for (int i = 0; i < expected.size(); i++) {
                got.add(reader.readBinding(map));
            }
            assertEquals(expected, got);
        }
    }
}
