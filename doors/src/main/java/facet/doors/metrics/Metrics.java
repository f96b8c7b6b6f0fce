package facet.doors.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All metrics, in the format that is asked for. */
public final class Metrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final Supplier<Figures> source;

    /** Those of the scrape that is under way: all metrics are of one moment. */
    private Figures figures = Figures.NONE;

    public Metrics(Supplier<Figures> source) {
        this.source = source;
        new Table(registry, () -> figures).fill();
        ProcessMetrics.builder().register(registry);
        JvmMemoryMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
    }

    /**
     * @param type what the bytes are
     */
    public record Scrape(String type, byte[] bytes) {}

    /**
     * @param accept header of the request; null is as good as anything
     */
    public synchronized Scrape scrape(@Nullable String accept) {
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 << 10);
        figures = source.get();
        try {
            // Each pool of the JVM has eight figures; of the whole there are four.
            writer.write(out, registry.scrape(name -> !name.startsWith("jvm_memory_pool")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            figures = Figures.NONE;
        }
        return new Scrape(writer.getContentType(), out.toByteArray());
    }
}
