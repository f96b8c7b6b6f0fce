package facet.kube.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Programs;
import facet.kube.names.Family;
import facet.kube.scheduler.Plane;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
final class InstallationTest {
    private static final Installation WHAT =
            new Installation(
                    "facet-system", "facet:test", Family.ALL, "facet-scheduler", "facet", false);

    @Test
    void theChartHasTheSameObjects(@TempDir Path folder) throws Exception {
        Chart.write(WHAT, folder);
        String chart = Files.readString(folder.resolve("templates/facet.yaml"));
        assertFalse(chart.contains("${"), "a place without a value");
        assertEquals(
                Manifests.text("install.yaml")
                                .lines()
                                .filter(each -> each.startsWith("kind:"))
                                .count()
                        - 1,
                chart.lines().filter(each -> each.startsWith("kind:")).count());
    }

    @Test
    void theBoardIsJsonAndEveryObjectIsRead() throws Exception {
        Installation monitored =
                new Installation(
                        "facet-system", "facet:test", Family.ALL, "facet-scheduler", "facet", true);
        var objects =
                monitored.objects(
                        facet.kube.serve.Authority.make(java.time.Instant.now()),
                        Installation.newToken());
        ConfigMap board =
                (ConfigMap)
                        objects.stream()
                                .filter(ConfigMap.class::isInstance)
                                .findFirst()
                                .orElseThrow();
        assertEquals(
                4,
                new com.fasterxml.jackson.databind.ObjectMapper()
                        .readTree(board.getData().get("facet.json"))
                        .path("panels")
                        .size());
        assertTrue(objects.stream().anyMatch(each -> each.getKind().equals("ServiceMonitor")));
    }

    @Test
    void itIsAppliedTwiceAndRemovedWithoutATrace() throws Exception {
        Programs.assume();
        try (ControlPlane plane =
                ControlPlane.start(
                        Map.of("visitor", "guests"),
                        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition")) {
            KubernetesClient client = plane.client();
            int count = WHAT.apply(client, false).size();
            assertEquals(count, WHAT.apply(client, false).size());
            rights(plane);
            placements(plane);
            assertTrue(
                    Checks.run(client, "facet-system").stream()
                            .anyMatch(each -> each.well() && each.text().contains("placements")));
            // Two webhooks were taken away above.
            assertEquals(count - 2, Installation.remove(client, WHAT).size());
            Await.until(
                    "no kinds of Facet",
                    () ->
                            client
                                    .apiextensions()
                                    .v1()
                                    .customResourceDefinitions()
                                    .list()
                                    .getItems()
                                    .stream()
                                    .noneMatch(
                                            each -> each.getSpec().getGroup().equals("facet.dev")));
            assertTrue(
                    client.rbac().clusterRoles().list().getItems().stream()
                            .noneMatch(each -> each.getMetadata().getName().startsWith("facet")));
        }
    }

    private static KubernetesClient as(ControlPlane plane, String account) {
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder(plane.client().getConfiguration())
                                .withImpersonateUsername(
                                        "system:serviceaccount:facet-system:" + account)
                                .withImpersonateGroups(
                                        "system:serviceaccounts",
                                        "system:serviceaccounts:facet-system",
                                        "system:authenticated")
                                .build())
                .build();
    }

    private static boolean may(
            KubernetesClient client, String verb, String group, String resource) {
        return Boolean.TRUE.equals(
                client.authorization()
                        .v1()
                        .selfSubjectAccessReview()
                        .create(
                                new SelfSubjectAccessReviewBuilder()
                                        .withNewSpec()
                                        .withNewResourceAttributes()
                                        .withVerb(verb)
                                        .withGroup(group)
                                        .withResource(resource)
                                        .withNamespace("default")
                                        .endResourceAttributes()
                                        .endSpec()
                                        .build())
                        .getStatus()
                        .getAllowed());
    }

    /** No account reads Secrets, makes pods or changes rights; the webhook writes nothing. */
    private static void rights(ControlPlane plane) {
        for (String account : new String[] {"facet-scheduler", "facet-webhook", "facet-agent"}) {
            try (KubernetesClient client = as(plane, account)) {
                for (String resource :
                        new String[] {"secrets", "configmaps", "serviceaccounts", "pods/exec"}) {
                    for (String verb : new String[] {"get", "list", "create"}) {
                        assertFalse(
                                may(client, verb, "", resource),
                                account + " " + verb + " " + resource);
                    }
                }
                assertFalse(may(client, "create", "", "pods"), account);
                assertFalse(
                        may(client, "create", "rbac.authorization.k8s.io", "clusterroles"),
                        account);
                boolean schedules = account.equals("facet-scheduler");
                assertEquals(schedules, may(client, "update", "facet.dev", "gpubooks"), account);
                assertEquals(schedules, may(client, "create", "", "pods/binding"), account);
                assertEquals(schedules, may(client, "delete", "", "pods"), account);
            }
        }
    }

    private static void placements(ControlPlane plane) throws InterruptedException {
        KubernetesClient client = plane.client();
        Pod pod = Plane.pod("greedy", 1, 10);
        pod.getMetadata().setAnnotations(Map.of("facet.dev/placement", "{}"));
        // A policy takes a moment until the apiserver follows it. Webhooks are not there here.
        client.admissionRegistration().v1().validatingWebhookConfigurations().delete();
        client.admissionRegistration().v1().mutatingWebhookConfigurations().delete();
        Await.until(
                "placements of users are refused",
                () -> {
                    try {
                        client.pods().inNamespace("default").resource(pod).dryRun(true).create();
                        return false;
                    } catch (KubernetesClientException e) {
                        return String.valueOf(e.getMessage())
                                .contains("written by Facet's schedulers alone");
                    }
                });
        Pod plain = Plane.pod("plain", 1, 10);
        client.pods().inNamespace("default").resource(plain).create();
        assertThrows(
                KubernetesClientException.class,
                () ->
                        client.pods()
                                .inNamespace("default")
                                .withName("plain")
                                .edit(each -> {
                                    each.getMetadata()
                                            .setAnnotations(Map.of("facet.dev/placement", "{}"));
                                    return each;
                                }));
        assertThrows(
                KubernetesClientException.class,
                () ->
                        client.raw(
                                "/api/v1/namespaces/default/pods/plain/binding",
                                "POST",
                                "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"plain\",\"annotations\":{\"facet.dev/placement\":\"{}\"}},\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}"));
        client.pods().inNamespace("default").withName("plain").withGracePeriod(0).delete();
    }
}
