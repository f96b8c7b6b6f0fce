package facet.kube.install;

import facet.kube.ledger.NodeFacts;
import facet.kube.names.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** What `facet kube doctor` looks at. */
public final class Checks {
    /** What was found, and what to do if it is not well. */
    public record Finding(boolean well, String text) {}

    private Checks() {}

    public static List<Finding> run(KubernetesClient client, String namespace) {
        List<Finding> findings = new ArrayList<>();
        for (HasMetadata each : Manifests.definitions()) {
            boolean there = client.resource(each).get() != null;
            findings.add(
                    new Finding(
                            there,
                            there
                                    ? "kind " + each.getMetadata().getName()
                                    : "kind "
                                            + each.getMetadata().getName()
                                            + " is not there: facet kube install"));
        }
        boolean policy =
                client.admissionRegistration()
                                .v1()
                                .validatingAdmissionPolicies()
                                .withName("placements.facet.dev")
                                .get()
                        != null;
        findings.add(
                new Finding(
                        policy,
                        policy
                                ? "users cannot write placements"
                                : "anybody who may change pods can write placements: facet kube"
                                        + " install"));
        for (String name : List.of("facet-scheduler", "facet-webhook", "facet-extender")) {
            Deployment deployment =
                    client.apps().deployments().inNamespace(namespace).withName(name).get();
            Integer ready =
                    deployment == null || deployment.getStatus() == null
                            ? null
                            : deployment.getStatus().getReadyReplicas();
            boolean runs = ready != null && ready > 0;
            findings.add(
                    new Finding(
                            runs,
                            runs
                                    ? name + " runs, " + ready + " of it"
                                    : name
                                            + " does not run: kubectl -n "
                                            + namespace
                                            + " describe deployment "
                                            + name));
        }
        nodes(client, findings);
        return findings;
    }

    private static void nodes(KubernetesClient client, List<Finding> findings) {
        int devices = 0;
        int nodes = 0;
        for (Node each : client.nodes().list().getItems()) {
            try {
                int own = NodeFacts.of(each).devices().size();
                devices += own;
                nodes += own > 0 ? 1 : 0;
            } catch (IllegalArgumentException e) {
                findings.add(
                        new Finding(
                                false,
                                "node " + each.getMetadata().getName() + ": " + e.getMessage()));
            }
        }
        findings.add(
                new Finding(
                        devices > 0,
                        devices > 0
                                ? devices + " devices on " + nodes + " nodes"
                                : "no node has devices (annotation "
                                        + Names.DEVICES
                                        + "): does facet-agent run, and facetd beside it?"));
    }
}
