package facet.kube.scheduler;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * {@code /metrics} and {@code /healthz} of a scheduler. They tell numbers, and no names of pods.
 */
public final class MetricsDoor implements AutoCloseable {
    private final WebServer server;

    private MetricsDoor(WebServer server) {
        this.server = server;
    }

    public static MetricsDoor open(int port, SchedulerProcess process) {
        PrometheusRegistry registry = new PrometheusRegistry();
        counter(registry, "facet_kube_bound", "Pods bound.", () -> process.scheduler().bound());
        counter(
                registry,
                "facet_kube_conflicts",
                "Assignments that others were faster with.",
                () -> process.scheduler().conflicts());
        gauge(
                registry,
                "facet_kube_waiting",
                "Pods that wait.",
                () -> process.state().ask(each -> each.waitingCount()));
        gauge(
                registry,
                "facet_kube_promised_thousandths",
                "Thousandths of devices that are promised.",
                () -> process.state().ask(each -> each.used()));
        gauge(
                registry,
                "facet_kube_capacity_thousandths",
                "Thousandths of all devices.",
                () -> process.state().ask(each -> each.capacity()));
        PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
        WebServer server =
                WebServer.builder()
                        .port(port)
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .routing(
                                HttpRouting.builder()
                                        .get("/healthz", (_, response) -> response.send("ok"))
                                        .get(
                                                "/metrics",
                                                (_, response) ->
                                                        response.header(
                                                                        HeaderNames.CONTENT_TYPE,
                                                                        writer.getContentType())
                                                                .send(text(writer, registry))))
                        .build()
                        .start();
        return new MetricsDoor(server);
    }

    private static byte[] text(PrometheusTextFormatWriter writer, PrometheusRegistry registry) {
        try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            writer.write(out, registry.scrape());
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Figure {
        long now();
    }

    private static void counter(
            PrometheusRegistry registry, String name, String help, Figure figure) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(to -> to.call((double) figure.now()))
                .register(registry);
    }

    private static void gauge(
            PrometheusRegistry registry, String name, String help, Figure figure) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(to -> to.call((double) figure.now()))
                .register(registry);
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
