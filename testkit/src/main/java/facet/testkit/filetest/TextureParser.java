package facet.testkit.filetest;

import facet.device.TextureDescription;
import facet.device.TextureDescription.Edge;
import facet.device.TextureDescription.Format;
import facet.device.TextureDescription.Level;
import facet.device.TextureDescription.Sampling;
import facet.device.TextureDescription.Shape;
import facet.testkit.filetest.Filetest.Argument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code data u8x4 plain 4,4 linear normalized fractions edge=wrap,clamp border=1,0,0,1 levels=2}:
 * a texture over memory that was declared before, whose rows, slices and levels follow each other.
 * Of a surface nothing stands behind the size.
 */
final class TextureParser {
    private static final Set<String> SWITCHES =
            Set.of("linear", "linear-levels", "normalized", "fractions", "srgb", "seamless");

    private TextureParser() {}

    static Argument parse(String text, boolean surface) {
        List<String> words = List.of(text.split("\\s+"));
        String[] format = words.get(1).split("x", 2);
        int channels = format.length == 1 ? 1 : Integer.parseInt(format[1]);
        Format each = Format.valueOf(format[0].toUpperCase(Locale.ROOT));
        Shape shape = Shape.valueOf(words.get(2).toUpperCase(Locale.ROOT));
        List<String> rest = words.subList(4, words.size());
        int bytes = channels * Integer.parseInt(format[0].substring(1)) / 8;
        List<Level> levels =
                levels(words.get(3), shape, bytes, Integer.parseInt(value(rest, "levels", "1")));
        return new Argument.Texture(
                words.getFirst(),
                new TextureDescription(
                        shape, each, channels, levels, surface ? null : sampling(rest)));
    }

    private static List<Level> levels(String size, Shape shape, int bytes, int count) {
        int[] all = {1, 1, 1};
        String[] sizes = size.split(",", -1);
        for (int i = 0; i < sizes.length; i++) {
            all[i] = Integer.parseInt(sizes[i]);
        }
        List<Level> levels = new ArrayList<>();
        long start = 0;
        for (int i = 0; i < count; i++) {
            long pitch = (long) all[0] * bytes;
            long slice = pitch * all[1];
            levels.add(new Level(start, pitch, slice, all[0], all[1], all[2]));
            start += slice * all[2];
            all[0] = Math.max(1, all[0] / 2);
            all[1] = Math.max(1, all[1] / 2);
            all[2] = shape == Shape.PLAIN ? Math.max(1, all[2] / 2) : all[2];
        }
        return levels;
    }

    private static Sampling sampling(List<String> words) {
        List<Edge> edges = new ArrayList<>();
        for (String each : value(words, "edge", "clamp").split(",", -1)) {
            edges.add(Edge.valueOf(each.toUpperCase(Locale.ROOT)));
        }
        while (edges.size() < 3) {
            edges.add(edges.getLast());
        }
        for (String each : words) {
            if (!each.contains("=") && !SWITCHES.contains(each)) {
                throw new IllegalArgumentException("unknown word " + each);
            }
        }
        return new Sampling(
                edges,
                words.contains("linear"),
                words.contains("linear-levels"),
                words.contains("normalized"),
                words.contains("fractions"),
                words.contains("srgb"),
                words.contains("seamless"),
                Float.parseFloat(value(words, "bias", "0")),
                Float.parseFloat(value(words, "lowest", "0")),
                Float.parseFloat(value(words, "highest", "100")),
                Arrays.stream(value(words, "border", "0,0,0,0").split(",", -1))
                        .map(Float::valueOf)
                        .toList());
    }

    private static String value(List<String> words, String name, String otherwise) {
        return words.stream()
                .filter(each -> each.startsWith(name + "="))
                .map(each -> each.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }
}
