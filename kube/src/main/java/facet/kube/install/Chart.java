package facet.kube.install;

import facet.kube.names.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Helm chart of the same manifests: the marked places become values. What is secret is not in it;
 * {@code facet kube install --print} shows how such values look.
 */
public final class Chart {
    private static final Map<String, String> PLACES =
            Map.of(
                    "namespace", "{{ .Release.Namespace }}",
                    "image", "{{ .Values.image }}",
                    "names", "{{ .Values.names }}",
                    "scheduler", "{{ .Values.scheduler }}",
                    "runtime-class", "{{ .Values.runtimeClass }}",
                    "token", "{{ required \"a token of 64 letters\" .Values.token }}",
                    "token-base64", "{{ .Values.token | b64enc }}",
                    "authority-certificate",
                            "{{ required \"a certificate\" .Values.authority.certificate | b64enc }}",
                    "authority-key", "{{ required \"its key\" .Values.authority.key | b64enc }}",
                    "asks", "{{ .Values.asks }}");

    private Chart() {}

    public static void write(Installation what, Path folder) throws IOException {
        Files.createDirectories(folder.resolve("templates"));
        Files.createDirectories(folder.resolve("crds"));
        Files.writeString(
                folder.resolve("Chart.yaml"),
                "apiVersion: v2\nname: facet\ndescription: Slices of GPUs for pods\nversion: 0.1.0\n");
        Files.writeString(folder.resolve("crds/crds.yaml"), Manifests.text("crds.yaml"));
        // The namespace is made by helm install --create-namespace.
        String text = Manifests.text("install.yaml");
        String withoutNamespace = text.substring(text.indexOf("---\n") + 4);
        Files.writeString(
                folder.resolve("templates/facet.yaml"), Manifests.filled(withoutNamespace, PLACES));
        Files.writeString(
                folder.resolve("values.yaml"),
                """
                image: "%s"
                # whose names pods may use
                names: "%s"
                # who schedules pods that name nobody; "": the stock scheduler, with the extender
                scheduler: "%s"
                runtimeClass: "%s"
                # follows from names; facet kube chart writes it
                asks: "%s"
                # what is secret: a token of 64 letters, and an authority with a key of Ed25519 in PEM
                token: ""
                authority: {certificate: "", key: ""}
                """
                        .formatted(
                                what.image(),
                                what.names().stream()
                                        .sorted()
                                        .map(Family::text)
                                        .collect(Collectors.joining(",")),
                                what.scheduler(),
                                what.runtimeClass(),
                                what.asks()));
    }
}
