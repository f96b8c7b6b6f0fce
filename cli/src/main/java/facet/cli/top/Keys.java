package facet.cli.top;

import org.jline.keymap.KeyMap;
import org.jline.terminal.Terminal;
import org.jline.utils.InfoCmp.Capability;

/** What the keys of a terminal mean. */
final class Keys {
    private static final long ESCAPE_MILLIS = 50;

    private Keys() {}

    static KeyMap<State.Key> map(Terminal terminal) {
        KeyMap<State.Key> map = new KeyMap<>();
        map.setAmbiguousTimeout(ESCAPE_MILLIS);
        map.setNomatch(State.Key.OTHER);
        map.setUnicode(State.Key.OTHER);
        map.bind(State.Key.QUIT, "q", "Q", KeyMap.ctrl('C'), KeyMap.ctrl('D'));
        map.bind(State.Key.SORT, "s");
        map.bind(State.Key.REVERSE, "r");
        map.bind(State.Key.PAUSE, "p", " ");
        map.bind(State.Key.HELP, "?", "h");
        map.bind(State.Key.RESIZE, KeyMap.ctrl('L'));
        bind(map, terminal, State.Key.UP, Capability.key_up, "\033[A", "\033OA", "k");
        bind(map, terminal, State.Key.DOWN, Capability.key_down, "\033[B", "\033OB", "j");
        bind(map, terminal, State.Key.PAGE_UP, Capability.key_ppage, "\033[5~");
        bind(map, terminal, State.Key.PAGE_DOWN, Capability.key_npage, "\033[6~");
        bind(map, terminal, State.Key.HOME, Capability.key_home, "\033[H", "\033OH", "g");
        bind(map, terminal, State.Key.END, Capability.key_end, "\033[F", "\033OF", "G");
        return map;
    }

    /** What the terminal's description says, and what nearly all of them send. */
    private static void bind(
            KeyMap<State.Key> map,
            Terminal terminal,
            State.Key key,
            Capability capability,
            String... sequences) {
        String described = KeyMap.key(terminal, capability);
        if (described != null) {
            map.bind(key, described);
        }
        map.bind(key, sequences);
    }
}
