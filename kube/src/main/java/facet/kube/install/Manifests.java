package facet.kube.install;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The manifests beside this class, with values in the places that are marked as <code>${name}
 * </code>.
 */
public final class Manifests {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Manifests() {}

    /** Kinds of objects that Facet adds. */
    public static List<HasMetadata> definitions() {
        return parse(text("crds.yaml"));
    }

    static String text(String file) {
        try (InputStream in = Manifests.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> each : values.entrySet()) {
            filled = filled.replace("${" + each.getKey() + "}", each.getValue());
        }
        if (filled.contains("${")) {
            int at = filled.indexOf("${");
            throw new IllegalStateException(
                    "no value for " + filled.substring(at, filled.indexOf('}', at) + 1));
        }
        return filled;
    }

    static List<HasMetadata> parse(String text) {
        List<HasMetadata> objects = new ArrayList<>();
        Arrays.stream(text.split("(?m)^---$"))
                .filter(each ->
                        each.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#")))
                .forEach(each -> objects.add((HasMetadata) SERIALIZATION.unmarshal(each)));
        return objects;
    }
}
