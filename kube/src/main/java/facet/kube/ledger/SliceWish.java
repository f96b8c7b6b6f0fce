package facet.kube.ledger;

import facet.slices.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants a container to have while it runs, as it is written.
 *
 * @param memory of each device, such as 4GiB; empty: as it is
 * @param compute percent of each device's time; empty: as it is
 */
public record SliceWish(String memory, String compute) {
    /** Annotations of a pod that runs. */
    public static final String MEMORY = "facet.dev/change-memory";

    public static final String COMPUTE = "facet.dev/change-compute";

    public static final SliceWish NONE = new SliceWish("", "");

    /** By the annotations of a pod. */
    static SliceWish of(@Nullable Map<String, String> annotations) {
        return annotations == null
                ? NONE
                : new SliceWish(
                        annotations.getOrDefault(MEMORY, ""),
                        annotations.getOrDefault(COMPUTE, ""));
    }

    /** By the spec of a GpuSlice. */
    public static SliceWish ofSpec(@Nullable Object spec) {
        Map<?, ?> said = spec instanceof Map<?, ?> map ? map : Map.of();
        return new SliceWish(text(said.get("memory")), text(said.get("compute")));
    }

    private static String text(@Nullable Object said) {
        return said == null ? "" : said.toString().strip();
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /**
     * @throws IllegalArgumentException when it makes no sense, in words
     */
    public Given of(Given given) {
        long bytes = memory.isEmpty() ? given.memory() : Size.parse(memory);
        int percent = compute.isEmpty() ? given.thousandths() / 10 : percent(compute);
        // What is no whole percent stays as it is unless somebody asks for another number.
        int thousandths = percent == given.thousandths() / 10 ? given.thousandths() : percent * 10;
        return given.with(bytes, thousandths);
    }

    private static int percent(String text) {
        try {
            int percent = Integer.parseInt(text);
            if (percent >= 0 && percent <= 100) {
                return percent;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "compute is percent, a number from 0 to 100, not '" + text + "'", e);
        }
        throw new IllegalArgumentException("compute is 0 to 100 percent, not " + text);
    }
}
