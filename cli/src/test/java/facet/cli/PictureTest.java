package facet.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PictureTest {
    private static final Map<String, String> XTERM =
            Map.of(
                    "FACET_TERMINAL",
                    "1",
                    "TERM",
                    "xterm-256color",
                    "LANG",
                    "C.UTF-8",
                    "COLUMNS",
                    "132");

    private static Map<String, String> with(String name, String value) {
        Map<String, String> changed = new java.util.HashMap<>(XTERM);
        changed.put(name, value);
        return changed;
    }

    private final Picture picture = new Picture(2, 2, 256, new int[] {0, 256, 64, 256});

    @Test
    void plainWithoutATerminal() {
        assertEquals(" @\n", picture.draw(Terminal.of(Map.of(), false)));
        assertEquals(80, Terminal.of(Map.of(), false).columns());
        assertEquals(80, Terminal.of(Map.of("COLUMNS", "wide"), false).columns());
    }

    @Test
    void halfBlocksOnATerminal() {
        Terminal terminal = Terminal.of(XTERM, false);
        assertEquals(132, terminal.columns());
        String text = picture.draw(terminal);
        assertTrue(text.contains("\u2580"), text);
        assertTrue(text.contains("\u001b[38;5;"), text);
        assertTrue(text.endsWith("\u001b[0m\n"), text);
        assertTrue(
                picture.draw(Terminal.of(with("COLORTERM", "truecolor"), false)).contains("38;2;"));
    }

    @Test
    void noColourWhenAskedFor() {
        for (Map<String, String> each :
                java.util.List.of(
                        with("NO_COLOR", "1"), with("TERM", "dumb"), with("FACET_TERMINAL", "0"))) {
            assertFalse(picture.draw(Terminal.of(each, true)).contains("\u001b"), each::toString);
        }
    }

    @Test
    void reduceTakesTheMajority() {
        Picture fine = new Picture(4, 2, 9, new int[] {9, 9, 1, 3, 9, 2, 5, 9});
        Picture coarse = fine.reduce(2);
        assertArrayEquals(new int[] {9, 3}, coarse.counts());
        assertEquals(2, coarse.width());
        assertEquals(1, coarse.height());
    }
}
