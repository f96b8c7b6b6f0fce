package facet.cli.top;

import org.jline.utils.AttributedStyle;

/**
 * What the terminal can show.
 *
 * @param unicode whether block characters can be shown
 */
public record Theme(boolean colours, boolean unicode) {
    /** Plain text, for files and pipes. */
    public static final Theme PLAIN = new Theme(false, false);

    AttributedStyle heading() {
        return AttributedStyle.DEFAULT.inverse();
    }

    AttributedStyle strong() {
        return AttributedStyle.BOLD;
    }

    AttributedStyle quiet() {
        return AttributedStyle.DEFAULT.faint();
    }

    AttributedStyle resident() {
        return colour(AttributedStyle.GREEN);
    }

    AttributedStyle moved() {
        return colour(AttributedStyle.YELLOW);
    }

    AttributedStyle busy() {
        return colour(AttributedStyle.CYAN);
    }

    AttributedStyle alarm() {
        return colour(AttributedStyle.RED);
    }

    private AttributedStyle colour(int number) {
        return colours ? AttributedStyle.DEFAULT.foreground(number) : AttributedStyle.DEFAULT;
    }

    char full() {
        return unicode ? '█' : '#';
    }

    char half() {
        return unicode ? '▒' : 'o';
    }

    char empty() {
        return unicode ? '·' : '.';
    }
}
