package facet.slices.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a document token by token, so that every mistake has its place. */
final class DocumentReader {
    private static final YAMLFactory FACTORY = new YAMLFactory();
    private static final Pattern PLACE =
            Pattern.compile("line (\\d{1,9}), column (\\d{1,9}):?$", Pattern.MULTILINE);

    private final String text;
    private final Map<String, Integer> lines = new HashMap<>();
    private @Nullable YAMLParser parser;

    DocumentReader(String text) {
        this.text = text;
    }

    SliceDocument read() throws DocumentException {
        try (YAMLParser made = FACTORY.createParser(text)) {
            parser = made;
            return document();
        } catch (JsonProcessingException e) {
            throw broken(e);
        } catch (IOException e) {
            throw new DocumentException("the file cannot be read: " + e.getMessage());
        }
    }

    private YAMLParser parser() {
        if (parser == null) {
            throw new IllegalStateException("not open");
        }
        return parser;
    }

    /** What the YAML parser says, without the picture that it draws. */
    private static DocumentException broken(JsonProcessingException e) {
        String[] said = e.getOriginalMessage().split("\n", -1);
        String why = said[0];
        for (String line : said) {
            // "while parsing …" says where it began; the line after the place says what is wrong.
            if (!line.isBlank() && !line.startsWith(" ") && !line.startsWith("while ")) {
                why = line;
                break;
            }
        }
        // The last place that it names is that of the mistake; others say where it began to look.
        Matcher place = PLACE.matcher(e.getOriginalMessage());
        int line = 0;
        int column = 0;
        while (place.find()) {
            line = Integer.parseInt(place.group(1));
            column = Integer.parseInt(place.group(2));
        }
        return line == 0
                ? new DocumentException("this is no YAML: " + why)
                : new DocumentException(line, column, "this is no YAML: " + why);
    }

    private DocumentException wrong(String message) {
        JsonLocation at = parser().currentTokenLocation();
        return new DocumentException(at.getLineNr(), at.getColumnNr(), message);
    }

    private JsonToken next() throws IOException, DocumentException {
        JsonToken token = parser().nextToken();
        if (token == null) {
            throw new DocumentException(
                    "the file has no slices in it; it begins with 'slices:', and to have none"
                            + " write 'slices: []'");
        }
        if (parser().isCurrentAlias() || parser().getObjectId() != null) {
            throw wrong("anchors and aliases (& and *) are not understood; write the value out");
        }
        return token;
    }

    private SliceDocument document() throws IOException, DocumentException {
        if (next() != JsonToken.START_OBJECT) {
            throw wrong("the file begins with 'slices:'");
        }
        List<Entry> entries = null;
        while (next() != JsonToken.END_OBJECT) {
            String key = parser().currentName();
            if (!key.equals(SliceDocument.SLICES)) {
                throw unknown(key, List.of(SliceDocument.SLICES));
            }
            if (entries != null) {
                throw wrong("'slices' is there twice");
            }
            entries = slices();
        }
        if (entries == null) {
            throw new DocumentException("the file has no 'slices:'");
        }
        if (parser().nextToken() != null) {
            throw wrong("there is a second document; a file has one");
        }
        return new SliceDocument(entries);
    }

    private DocumentException unknown(String key, List<String> known) {
        return wrong(
                "there is no key '"
                        + key
                        + "'"
                        + Nearest.hint(
                                key,
                                known,
                                (known.size() == 1 ? "there is " : "there are ")
                                        + String.join(", ", known)));
    }

    private List<Entry> slices() throws IOException, DocumentException {
        if (next() != JsonToken.START_ARRAY) {
            throw wrong(
                    "'slices' is a list: each slice begins with '- name: …'; to have none write"
                            + " 'slices: []'");
        }
        List<Entry> entries = new ArrayList<>();
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            if (token != JsonToken.START_OBJECT) {
                throw wrong("a slice begins with '- name: …'");
            }
            entries.add(slice());
        }
        return entries;
    }

    private Entry slice() throws IOException, DocumentException {
        int line = parser().currentTokenLocation().getLineNr();
        int column = parser().currentTokenLocation().getColumnNr();
        String name = null;
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        while (next() != JsonToken.END_OBJECT) {
            String key = parser().currentName();
            if (key.equals(SliceDocument.NAME)) {
                if (name != null) {
                    throw wrong("'name' is there twice");
                }
                name = name(scalar(key));
                continue;
            }
            Setting setting = Setting.of(key).orElse(null);
            if (setting == null) {
                List<String> known = new ArrayList<>(List.of(SliceDocument.NAME));
                known.addAll(Setting.keys());
                throw unknown(key, known);
            }
            if (values.containsKey(setting)) {
                throw wrong("'" + key + "' is there twice");
            }
            values.put(setting, value(setting, key));
            check(setting, values);
        }
        if (name == null) {
            throw new DocumentException(line, column, "this slice has no name");
        }
        return entry(name, new Settings(values), line, column);
    }

    private Entry entry(String name, Settings settings, int line, int column)
            throws DocumentException {
        try {
            // Whether the values go together does not depend on the node.
            Slice checked = settings.slice(name, new Settings.Whole(1, 1));
            return new Entry(checked.name(), settings, line);
        } catch (IllegalArgumentException e) {
            throw new DocumentException(line, column, "slice '" + name + "': " + e.getMessage());
        }
    }

    private String name(String text) throws DocumentException {
        Integer before = lines.put(text, parser().currentTokenLocation().getLineNr());
        if (before != null) {
            throw wrong("there is a slice '" + text + "' in line " + before + " already");
        }
        return text;
    }

    private void check(Setting setting, Map<Setting, String> values) throws DocumentException {
        try {
            Settings ignored = new Settings(Map.of(setting, values.getOrDefault(setting, "")));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private String scalar(String key) throws IOException, DocumentException {
        return scalar(key, next());
    }

    private String scalar(String key, JsonToken token) throws IOException, DocumentException {
        if (!token.isScalarValue()
                || token == JsonToken.VALUE_NULL
                || parser().getText().isBlank()) {
            throw wrong("'" + key + "' has no value; write one, or leave the line out");
        }
        return parser().getText();
    }

    private String value(Setting setting, String key) throws IOException, DocumentException {
        return switch (setting) {
            case CALENDAR -> calendar();
            case DEVICE -> devices(key);
            default -> scalar(key);
        };
    }

    /** One number, or a list of them. */
    private String devices(String key) throws IOException, DocumentException {
        YAMLParser from = parser();
        JsonToken token = next();
        if (token != JsonToken.START_ARRAY) {
            return scalar(key, token);
        }
        List<String> numbers = new ArrayList<>();
        for (token = next(); token != JsonToken.END_ARRAY; token = next()) {
            if (!token.isScalarValue()) {
                throw wrong("'device' is the number of a device, or a list of numbers");
            }
            numbers.add(from.getText());
        }
        return String.join(",", numbers);
    }

    /** A list of lines, or one line with semicolons. */
    private String calendar() throws IOException, DocumentException {
        YAMLParser from = parser();
        if (next() != JsonToken.START_ARRAY) {
            if (!from.currentToken().isScalarValue() || from.getText().isBlank()) {
                throw wrong("'calendar' is a list of lines such as 'mon-fri 08:00-20:00 80'");
            }
            return from.getText();
        }
        List<String> entries = new ArrayList<>();
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            if (!token.isScalarValue()) {
                throw wrong("a line of a calendar is text such as 'mon-fri 08:00-20:00 80'");
            }
            check(Setting.CALENDAR, Map.of(Setting.CALENDAR, from.getText()));
            entries.add(from.getText());
        }
        return String.join("; ", entries);
    }
}
