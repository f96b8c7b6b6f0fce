package facet.kube.ledger;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Books as objects of the cluster: {@code gpubooks.facet.dev}, each with the name of its node. */
public final class ClusterBooks implements BookStore {
    public static final ResourceDefinitionContext CONTEXT =
            new ResourceDefinitionContext.Builder()
                    .withGroup("facet.dev")
                    .withVersion("v1")
                    .withKind("GpuBook")
                    .withPlural("gpubooks")
                    .withNamespaced(false)
                    .build();

    private static final String PATH = "/apis/facet.dev/v1/gpubooks";
    private static final TypeReference<Map<String, Entry.Kept>> ENTRIES = new TypeReference<>() {};

    private final KubernetesClient client;

    public ClusterBooks(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Book read(String node) throws IOException {
        try {
            String text = client.raw(PATH + "/" + node);
            return text == null ? Book.empty(node) : parse(node, Json.MAPPER.readTree(text));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Book.empty(node);
            }
            throw new IOException("the book of node " + node + " cannot be read", e);
        }
    }

    @Override
    public Optional<Book> write(Book book) throws IOException {
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("name", book.node());
        if (!book.version().isEmpty()) {
            metadata.put("resourceVersion", book.version());
        }
        Map<String, Entry.Kept> entries = new LinkedHashMap<>();
        book.entries().forEach((uid, each) -> entries.put(uid, each.kept()));
        String body =
                Json.MAPPER.writeValueAsString(
                        Map.of(
                                "apiVersion",
                                "facet.dev/v1",
                                "kind",
                                "GpuBook",
                                "metadata",
                                metadata,
                                "entries",
                                entries));
        try {
            boolean isNew = book.version().isEmpty();
            String text =
                    client.raw(
                            isNew ? PATH : PATH + "/" + book.node(), isNew ? "POST" : "PUT", body);
            JsonNode written = Json.MAPPER.readTree(text == null ? "{}" : text);
            String version = written.path("metadata").path("resourceVersion").asText();
            return Optional.of(new Book(book.node(), version, book.entries()));
        } catch (KubernetesClientException e) {
            // Not found: it was there and is deleted; what is there now says how to go on.
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT
                    || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            throw new IOException("the book of node " + book.node() + " cannot be written", e);
        }
    }

    private static Book parse(String node, JsonNode object) throws IOException {
        JsonNode entries = object.path("entries");
        return book(
                node,
                object.path("metadata").path("resourceVersion").asText(),
                entries.isObject()
                        ? Json.MAPPER.readValue(entries.traverse(Json.MAPPER), ENTRIES)
                        : Map.of());
    }

    private static Book book(String node, String version, @Nullable Map<String, Entry.Kept> kept) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (kept != null) {
            kept.forEach((uid, each) -> entries.put(uid, Entry.of(uid, each)));
        }
        return new Book(node, version, entries);
    }

    /**
     * @throws IllegalArgumentException when somebody wrote what is no book
     */
    public static Book of(GenericKubernetesResource object) {
        Map<String, Entry.Kept> kept =
                Json.MAPPER.convertValue(object.getAdditionalProperties().get("entries"), ENTRIES);
        return book(
                object.getMetadata().getName(), object.getMetadata().getResourceVersion(), kept);
    }
}
