package facet.kube.scheduler;

import facet.kube.cluster.ControlPlane;
import facet.kube.extender.Extender;
import facet.kube.extender.SchedulerPolicy;
import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.kube.serve.TestDoor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/**
 * The stock kube-scheduler of a control plane with our extender, which has its books from a
 * scheduler that schedules nothing itself.
 */
public record StockScheduler(SchedulerProcess books, TestDoor door, Path configuration)
        implements AutoCloseable {
    /** All but the scheduler itself. */
    public static StockScheduler prepare(ControlPlane plane)
            throws IOException, GeneralSecurityException {
        SchedulerProcess books = Plane.waitingScheduler(plane.client(), "facet-extender");
        TestDoor door =
                TestDoor.open(
                        new Extender(
                                        plane.client(),
                                        books.state(),
                                        books.binder(),
                                        new Reader(Family.ALL))
                                .places());
        Path folder = Files.createDirectories(plane.folder().resolve("extender"));
        door.writeClient(folder);
        Path configuration = folder.resolve("scheduler.yaml");
        Files.writeString(
                configuration,
                SchedulerPolicy.text(
                        plane.kubeconfig().toString(), door.url(), folder.toString(), Family.ALL));
        return new StockScheduler(books, door, configuration);
    }

    public void start(ControlPlane plane) throws IOException, InterruptedException {
        plane.startScheduler("--config=" + configuration);
    }

    @Override
    public void close() {
        door.close();
        books.close();
    }
}
