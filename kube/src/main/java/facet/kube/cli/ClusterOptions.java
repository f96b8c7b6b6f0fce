package facet.kube.cli;

import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.kube.serve.Authority;
import facet.kube.serve.ServerKeys;
import facet.log.Log;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What all parts that run in a cluster are told. */
final class ClusterOptions {
    @Option(
            names = "--names",
            paramLabel = "FAMILIES",
            defaultValue = "all",
            description =
                    "whose names pods may use: all, or some of facet, hami, aliyun, tencent, vgpu,"
                            + " volcano, kubeshare, kai (${DEFAULT-VALUE})")
    String names = "all";

    @Option(
            names = "--namespace",
            defaultValue = "facet-system",
            description = "where Facet is installed (${DEFAULT-VALUE})")
    String namespace = "facet-system";

    Set<Family> families() {
        return Family.parse(names);
    }

    Reader reader() {
        return new Reader(families());
    }

    /** By KUBECONFIG, or by the service account of the pod in which it runs. */
    KubernetesClient client() {
        Config config =
                new ConfigBuilder(Config.autoConfigure(null))
                        .withRequestRetryBackoffLimit(3)
                        .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    static Log log() {
        return new Log(System.err, Log.Level.INFO);
    }

    /** The folder of the Secret {@code facet-authority}. */
    record Secrets(Authority authority, String token) {
        static Secrets read(Path folder) throws IOException, GeneralSecurityException {
            return new Secrets(
                    Authority.parse(
                            Files.readString(folder.resolve("authority.crt")),
                            Files.readString(folder.resolve("authority.key"))),
                    Files.readString(folder.resolve("token")).strip());
        }

        ServerKeys keys(String service, String namespace) throws GeneralSecurityException {
            return new ServerKeys(
                    authority,
                    service,
                    List.of(
                            "localhost",
                            service,
                            service + "." + namespace,
                            service + "." + namespace + ".svc"),
                    Instant.now());
        }
    }
}
