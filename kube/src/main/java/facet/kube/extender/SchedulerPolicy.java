package facet.kube.extender;

import facet.kube.names.Family;
import facet.kube.names.Names;
import java.util.Set;
import java.util.stream.Collectors;

/** The configuration by which the stock kube-scheduler asks the extender. */
public final class SchedulerPolicy {
    private SchedulerPolicy() {}

    /**
     * @param url of the extender
     * @param folder with client.crt, client.key and authority.crt, on the scheduler's machine
     */
    public static String text(String kubeconfig, String url, String folder, Set<Family> names) {
        String resources =
                Names.resources(names).stream()
                        .map(each ->
                                "      - {name: %s, ignoredByScheduler: true}\n".formatted(each))
                        .collect(Collectors.joining());
        return """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        leaderElection: {leaderElect: false}
        clientConnection: {kubeconfig: %s, qps: 5000, burst: 10000}
        extenders:
          - urlPrefix: %s
            filterVerb: filter
            bindVerb: bind
            preemptVerb: preempt
            nodeCacheCapable: true
            enableHTTPS: true
            httpTimeout: 10s
            tlsConfig: {certFile: %3$s/client.crt, keyFile: %3$s/client.key, caFile: %3$s/authority.crt}
            managedResources:
        %4$s\
        """
                .formatted(kubeconfig, url, folder, resources);
    }
}
