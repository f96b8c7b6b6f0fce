package facet.slices.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.slices.Setting;
import facet.slices.Settings;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SliceDocumentTest {
    @Test
    void everyKeyIsRead() throws Exception {
        SliceDocument document =
                SliceDocument.parse(
                        """
                        # a comment
                        slices:
                          - name: one
                            memory: 4G
                            compute: 30 %
                            policy: Fixed
                            priority: 7
                            multiprocessors: 2
                            devices: 1
                          - {name: two, policy: time-slice, turn: 50ms}
                          - name: three
                            calendar:
                              - mon-fri 08:00-20:00 80
                              - sat 00:00-24:00 5
                            timeZone: Europe/Berlin
                          - name: four
                            calendar: "daily 08:00-20:00 80; sat 00:00-24:00 5"
                        """);
        assertEquals(
                List.of("one", "two", "three", "four"),
                document.entries().stream().map(Entry::name).toList());
        assertEquals(
                "{MEMORY=4GiB, COMPUTE=30%, POLICY=fixed, PRIORITY=7, MULTIPROCESSORS=2,"
                        + " DEVICES=1}",
                document.entries().get(0).settings().values().toString());
        assertEquals(3, document.entries().get(0).line());
        assertEquals(
                "mon-fri 08:00-20:00 80; sat 00:00-24:00 5",
                document.entries().get(2).settings().values().get(Setting.CALENDAR));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("", "the file has no slices in it"),
                Arguments.of("# only this", "the file has no slices in it"),
                Arguments.of("slices: []\nslices: []", "line 2, column 1: 'slices' is there twice"),
                Arguments.of(
                        "slice: []",
                        "line 1, column 1: there is no key 'slice'; did you mean 'slices'?"),
                Arguments.of("- a", "line 1, column 1: the file begins with 'slices:'"),
                Arguments.of("slices:", "'slices' is a list"),
                Arguments.of("slices:\n  a: 1", "line 2, column 3: 'slices' is a list"),
                Arguments.of("slices:\n  - a", "line 2, column 5: a slice begins with"),
                Arguments.of("slices:\n  - memory: 1G", "line 2, column 5: this slice has no name"),
                Arguments.of(
                        "slices:\n  - name: a\n    memroy: 1G",
                        "line 3, column 5: there is no key 'memroy'; did you mean 'memory'? There are name, memory"),
                Arguments.of(
                        "slices:\n  - name: a\n    zzzzzzzz: 1G",
                        "line 3, column 5: there is no key 'zzzzzzzz'; there are name, memory"),
                Arguments.of("slices:\n  - name: a\n    memory:", "'memory' has no value"),
                Arguments.of(
                        "slices:\n  - name: a\n    memory: [1G]",
                        "line 3, column 13: 'memory' has no value"),
                Arguments.of(
                        "slices:\n  - name: a\n    memory: lots",
                        "line 3, column 13: 'lots' is no size"),
                Arguments.of(
                        "slices:\n  - name: a\n    compute: 130",
                        "line 3, column 14: compute is 0 to 100"),
                Arguments.of(
                        "slices:\n  - name: a\n    turn: 20",
                        "line 3, column 11: '20' is no length of time"),
                Arguments.of(
                        "slices:\n  - name: a\n    timeZone: Mars",
                        "line 3, column 15: 'Mars' is no time zone"),
                Arguments.of(
                        "slices:\n  - name: a\n    calendar:\n      - mon 8-9 5",
                        "line 4, column 9: 'mon 8-9 5' is no line"),
                Arguments.of(
                        "slices:\n  - name: a\n    policy: tidal",
                        "line 2, column 5: slice 'a': a tidal slice needs a calendar"),
                Arguments.of(
                        "slices:\n  - name: a/b",
                        "line 2, column 5: slice 'a/b': 'a/b' cannot name a slice"),
                Arguments.of(
                        "slices:\n  - name: a\n  - name: a",
                        "line 3, column 11: there is a slice 'a' in line 2 already"),
                Arguments.of(
                        "slices:\n  - name: a\n    name: b",
                        "line 3, column 5: 'name' is there twice"),
                Arguments.of(
                        "slices:\n  - name: a\n    memory: 1G\n    memory: 2G",
                        "line 4, column 5: 'memory' is there twice"),
                Arguments.of("slices:\n  - name: a\n   memory: 1G", "line 3, column"),
                Arguments.of("slices:\n\t- name: a", "line 2, column"),
                Arguments.of("slices: [\n  {name: a", "line 2, column"),
                Arguments.of("slices:\n  - &x\n    name: a\n  - *x", "anchors and aliases"),
                Arguments.of(
                        "slices: []\n---\nslices: []",
                        "line 3, column 1: there is a second document"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void everyMistakeHasItsPlace(String text, String error) {
        DocumentException thrown =
                assertThrows(DocumentException.class, () -> SliceDocument.parse(text));
        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.contains(error), message);
        assertTrue(!message.contains("\n"), message);
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        assertEquals(List.of(), SliceDocument.parse(SliceDocument.text(Map.of())).entries());
        long seed = Long.getLong("facet.seed", 20261117);
        Random random = new Random(seed);
        Map<Setting, List<String>> samples =
                Map.of(
                        Setting.MEMORY, List.of("4G", "1000", "1536M", "0x", "5 KiB"),
                        Setting.PRIORITY, List.of("0", "100", "08"),
                        Setting.MULTIPROCESSORS, List.of("0", "3"),
                        Setting.DEVICES, List.of("1", "16"),
                        Setting.COMPUTE, List.of("1", "30%", "100"));
        for (int i = 0; i < 200; i++) {
            Map<String, Settings> slices = new LinkedHashMap<>();
            for (String name : List.of("on", "no", "1e3", "0", "12", "a.b-c_d", "null", "1:30")) {
                Map<Setting, String> values = new EnumMap<>(Setting.class);
                samples.forEach((setting, texts) -> {
                    String text = texts.get(random.nextInt(texts.size()));
                    if (random.nextBoolean() && !text.equals("0x")) {
                        values.put(setting, text);
                    }
                });
                if (random.nextInt(4) == 0) {
                    values.put(Setting.CALENDAR, "mon 1:00-2:00 5; daily 22:00-6:00 9");
                    values.put(Setting.TIME_ZONE, random.nextBoolean() ? "UTC" : "GMT+1");
                    values.remove(Setting.COMPUTE);
                } else if (random.nextInt(4) == 0) {
                    values.put(Setting.TURN, random.nextBoolean() ? "1.5ms" : "2s");
                }
                if (!name.contains(":")) {
                    slices.put(name, new Settings(values));
                }
            }
            Map<String, Settings> read = new LinkedHashMap<>();
            String text = SliceDocument.text(slices);
            try {
                for (Entry each : SliceDocument.parse(text).entries()) {
                    read.put(each.name(), each.settings());
                }
            } catch (DocumentException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + text, e);
            }
            assertEquals(slices, read, () -> "seed " + seed + "\n" + text);
        }
    }
}
