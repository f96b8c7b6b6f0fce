package facet.kube.names;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Systems whose names pods may use. Which ones a cluster accepts is a setting. */
public enum Family {
    FACET,
    HAMI,
    ALIYUN,
    TENCENT,
    VGPU,
    VOLCANO,
    KUBESHARE,
    KAI;

    public static final Set<Family> ALL = Set.of(values());

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @param text {@code all}, or names with commas between; Facet's own are always understood
     */
    public static Set<Family> parse(String text) {
        EnumSet<Family> families = EnumSet.of(FACET);
        for (String each : text.split(",", -1)) {
            String word = each.strip().toLowerCase(Locale.ROOT);
            if (word.equals("all")) {
                families.addAll(ALL);
            } else if (!word.isEmpty()) {
                families.add(one(word));
            }
        }
        return families;
    }

    private static Family one(String word) {
        for (Family each : values()) {
            if (each.text().equals(word)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "there is no family of names '"
                        + word
                        + "'; there are all, "
                        + text(Arrays.asList(values())));
    }

    public static String text(Collection<Family> families) {
        return families.stream().sorted().map(Family::text).collect(Collectors.joining(", "));
    }
}
