package facet.kube.install;

import facet.kube.serve.Authority;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/** What is secret, and stays when an installation is applied again. */
record Kept(Authority authority, String token) {
    static Kept of(KubernetesClient client, String namespace) throws GeneralSecurityException {
        Secret secret = client.secrets().inNamespace(namespace).withName("facet-authority").get();
        if (secret == null || secret.getData() == null) {
            return new Kept(Authority.make(Instant.now()), Installation.newToken());
        }
        Map<String, String> data = secret.getData();
        return new Kept(
                Authority.parse(text(data, "authority.crt"), text(data, "authority.key")),
                text(data, "token"));
    }

    private static String text(Map<String, String> data, String name) {
        String text = data.get(name);
        if (text == null) {
            throw new IllegalArgumentException(
                    "Secret facet-authority has no "
                            + name
                            + "; delete it, and install again: all certificates are made anew");
        }
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
