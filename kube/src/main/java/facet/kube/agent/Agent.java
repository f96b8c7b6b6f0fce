package facet.kube.agent;

import facet.kube.dra.DraPlugin;
import facet.kube.node.AgentOptions;
import facet.kube.node.DaemonLink;
import facet.kube.node.NodeDevice;
import facet.kube.plugin.DevicePlugins;
import facet.kube.plugin.PodCdi;
import facet.kube.plugin.PodResources;
import facet.kube.plugin.Resource;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** All that the agent does, again and again. */
public final class Agent implements AutoCloseable {
    private static final long PAUSE_MILLIS = 1000;

    /** How often somebody who has removed the node's annotation is corrected. */
    private static final long PUBLISH_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final AgentOptions options;
    private final KubernetesClient client;
    private final Log log;
    private final Log often;
    private final PodPlacer placer;
    private final DevicePlugins plugins;
    private final DraPlugin dra;
    private final PodResources resources;
    private final SharedIndexInformer<Pod> pods;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread;
    private List<NodeDevice> devices = List.of();
    private String published = "";
    private long publishedAt;
    private volatile boolean stopping;

    private Agent(AgentOptions options, KubernetesClient client, Log log) {
        this.options = options;
        this.client = client;
        this.log = log;
        often = log.limited();
        PodEvents events = new PodEvents(client, options.node(), log);
        placer = new PodPlacer(events);
        plugins =
                new DevicePlugins(
                        options.pluginFolder(),
                        options.resources().stream().map(Resource::parse).toList(),
                        log);
        dra = new DraPlugin(options, client, log);
        resources = new PodResources(options.podResources(), plugins.names(), events);
        pods =
                client.pods()
                        .inAnyNamespace()
                        .withField("spec.nodeName", options.node())
                        .inform(new Wake());
        thread = Thread.ofPlatform().name("facet-agent").unstarted(this::run);
    }

    /** Any change is a reason to look at all of them. */
    private final class Wake implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            changes.release();
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            changes.release();
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {
            changes.release();
        }
    }

    public static Agent start(AgentOptions options, KubernetesClient client, Log log)
            throws IOException {
        PodCdi.write(options.cdiFolder(), options.hook(), options.daemon());
        Agent agent = new Agent(options, client, log);
        agent.thread.start();
        return agent;
    }

    private void run() {
        while (!stopping) {
            step("daemon", this::lookAtDevices);
            step("pods", this::placePods);
            step("node", this::publish);
            step("plugins", () -> plugins.keep(devices));
            step("dra", () -> dra.keep(devices));
            step("pod-resources", () -> resources.compare(pods.getStore().list()));
            try {
                if (changes.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    changes.drainPermits();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** A part of it; when one does not work the others do. */
    private interface Step {
        void perform() throws IOException;
    }

    private void step(String part, Step step) {
        try {
            step.perform();
        } catch (IOException | KubernetesClientException e) {
            if (!stopping) {
                often.warning(part, String.valueOf(e.getMessage()));
            }
        } catch (RuntimeException e) {
            log.error(part, e.toString());
        }
    }

    /** Without a daemon its devices are as they were, but not well. */
    private void lookAtDevices() throws IOException {
        try (DaemonLink daemon = DaemonLink.open(options.daemon())) {
            devices = NodeDevice.of(daemon.ask("devices"));
        } catch (IOException e) {
            devices = devices.stream().map(each -> each.withHealth(false)).toList();
            throw new IOException("no daemon answers in " + options.daemon(), e);
        }
    }

    private void placePods() throws IOException {
        if (!pods.hasSynced() || devices.isEmpty()) {
            return;
        }
        try (DaemonLink daemon = DaemonLink.open(options.daemon())) {
            placer.reconcile(daemon, devices, pods.getStore().list(), options.runtime());
        }
    }

    private void publish() {
        if (devices.isEmpty()) {
            return;
        }
        String text = NodeDevice.text(devices);
        if (text.equals(published) && System.nanoTime() - publishedAt < PUBLISH_NANOS) {
            return;
        }
        Node node = client.nodes().withName(options.node()).get();
        if (node == null) {
            throw new KubernetesClientException("there is no node " + options.node() + " yet");
        }
        var annotations = node.getMetadata().getAnnotations();
        if (annotations == null || !text.equals(annotations.get(NodeDevice.ANNOTATION))) {
            client.nodes()
                    .withName(options.node())
                    .edit(each ->
                            new NodeBuilder(each)
                                    .editMetadata()
                                    .addToAnnotations(NodeDevice.ANNOTATION, text)
                                    .endMetadata()
                                    .build());
        }
        published = text;
        publishedAt = System.nanoTime();
    }

    /** Leaves pods, placements and claims as they are, for the next one. */
    @Override
    public void close() {
        stopping = true;
        changes.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pods.close();
        plugins.close();
        dra.close();
        resources.close();
    }
}
