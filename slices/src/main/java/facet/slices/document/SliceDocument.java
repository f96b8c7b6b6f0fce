package facet.slices.document;

import facet.slices.Setting;
import facet.slices.Settings;
import java.util.List;
import java.util.Map;

/**
 * Slices as people write them: YAML with a list {@code slices}, in it {@code name} and the keys of
 * {@link Setting}.
 */
public record SliceDocument(List<Entry> entries) {
    static final String SLICES = "slices";
    static final String NAME = "name";

    private static final String HEADING =
            """
            # Slices that facetd keeps. 'facet slice' and 'facet apply' write this file; when the
            # daemon is down it may be edited by hand. docs/slices.md explains the keys.
            """;

    public SliceDocument {
        entries = List.copyOf(entries);
    }

    public static SliceDocument parse(String text) throws DocumentException {
        return new DocumentReader(text).read();
    }

    /** As {@link #parse} reads it. */
    public static String text(Map<String, Settings> slices) {
        StringBuilder text = new StringBuilder(HEADING).append(SLICES).append(':');
        if (slices.isEmpty()) {
            return text.append(" []\n").toString();
        }
        text.append('\n');
        slices.forEach((name, settings) -> {
            line(text, "  - ", NAME, name);
            settings.values()
                    .forEach((setting, value) -> {
                        if (setting == Setting.CALENDAR) {
                            text.append("    ").append(setting.key()).append(":\n");
                            for (String entry : value.split("; ", -1)) {
                                text.append("      - ").append(quoted(entry)).append('\n');
                            }
                        } else {
                            line(text, "    ", setting.key(), value);
                        }
                    });
        });
        return text.toString();
    }

    private static void line(StringBuilder text, String indent, String key, String value) {
        text.append(indent).append(key).append(": ").append(quoted(value)).append('\n');
    }

    /** Names and normal values have neither quotes nor backslashes in them. */
    private static String quoted(String value) {
        boolean plain =
                value.matches("[A-Za-z][A-Za-z0-9/._-]*|[1-9][0-9]*(%|[KMGT]iB|[mu]?s)?|0%?");
        boolean word = value.matches("(?i)y|n|yes|no|on|off|true|false|null");
        return plain && !word ? value : '"' + value + '"';
    }
}
