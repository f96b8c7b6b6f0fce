package facet.node.placing;

import facet.place.Choice;
import facet.place.Cluster;
import facet.place.Fit;
import facet.place.Ledger;
import facet.place.Models;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Policy;
import facet.place.Request;
import facet.place.Share;
import facet.place.Traits;
import facet.place.Where;
import facet.slices.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Devices and a slice that is wanted, as module {@code place} has them: each device is a node with
 * one device, since sizes and models differ. Made for one question and then thrown away.
 */
public final class Books {
    private static final Policy POLICY = Policies.named(Policies.OF_A_NODE);
    private static final int MIB_BITS = 20;
    private static final String WANTED = "wanted";
    private static final String OTHER = "other";

    private final Placer placer;
    private final Request request;

    /**
     * What somebody has of a device.
     *
     * @param memory bytes
     * @param percent of its time
     */
    public record Held(long memory, int percent) {}

    /**
     * A device.
     *
     * @param memory bytes that it has
     * @param most bytes that one slice may have of it, whatever others were promised
     * @param model what it is
     * @param open whether it takes anything new
     */
    public record Device(long memory, long most, String model, boolean open, List<Held> held) {
        public Device {
            held = List.copyOf(held);
        }
    }

    /**
     * @param percent of a device's time that it wants
     */
    public Books(Slice wanted, int percent, List<Device> devices) {
        Models models = new Models();
        List<Node> nodes = new ArrayList<>();
        for (Device each : devices) {
            String model = wanted.devices().site().suits(each.model()) ? WANTED : OTHER;
            Traits traits =
                    Traits.NONE
                            .withDeviceMemory(mebibytes(each.memory()))
                            .withShared(shared(wanted, each));
            nodes.add(new Node(Integer.toString(nodes.size()), model, 1, 0, 0, traits));
        }
        Cluster cluster = new Cluster(nodes, models);
        Ledger ledger = new Ledger(cluster);
        for (int i = 0; i < nodes.size(); i++) {
            for (Held each : devices.get(i).held()) {
                enter(ledger, i, each);
            }
            if (!devices.get(i).open()) {
                cluster.close(i);
            }
        }
        boolean all = wanted.memory() == Slice.ALL_MEMORY;
        int memory = all ? Share.ALL_MEMORY : Math.max(1, mebibytes(wanted.memory()));
        Where where = Where.models(models.set(List.of(WANTED)));
        request = new Request(1, new Share(thousandths(percent), memory, 0, 0), where, 0, 0);
        placer = new Placer(ledger, POLICY, List.of(), 0);
    }

    private static int thousandths(int percent) {
        return Math.clamp(percent, 0, 100) * (Cluster.WHOLE / 100);
    }

    private static int mebibytes(long bytes) {
        return Math.clamp(bytes >> MIB_BITS, 0, Integer.MAX_VALUE);
    }

    /** In whole MiB, and yet a slice that wants a byte too much does not fit. */
    private static int shared(Slice wanted, Device device) {
        int most = mebibytes(device.most());
        boolean tooMuch = wanted.memory() != Slice.ALL_MEMORY && wanted.memory() > device.most();
        return tooMuch ? Math.clamp(mebibytes(wanted.memory()) - 1L, 0, most) : most;
    }

    /** More may have been promised than there is: then nothing is left. */
    private static void enter(Ledger ledger, int device, Held held) {
        int left = ledger.cluster().free(device);
        int compute = Math.min(left, thousandths(held.percent()));
        Share share = new Share(compute, mebibytes(held.memory()), 0, 0);
        if (compute > 0 || share.memory() > 0) {
            ledger.enterAgain(new Request(1, share, Where.ANYWHERE, 0, 0), device, 1);
        }
    }

    /** What a device lacks first. */
    public Fit fit(int device) {
        return placer.fit(device, request);
    }

    /** The same in words, behind 'device 3'. */
    public String lacks(int device) {
        return placer.lacks(device, request).orElse("has room for it");
    }

    /** What devices lack, a line for those together that lack the same. */
    public List<String> lacking() {
        return placer.explain(request).lacking("device");
    }

    /** Those on which it fits, the best first. */
    public List<Choice> choices() {
        return placer.choices(request, Integer.MAX_VALUE);
    }

    public int fitting() {
        return (int) IntStream.range(0, devices()).filter(each -> fit(each) == Fit.FITS).count();
    }

    private int devices() {
        return placer.ledger().cluster().nodes();
    }

    /** The part of a device's memory that is promised with the slice on it; 1 is all. */
    public double memory(int device) {
        Cluster cluster = placer.ledger().cluster();
        long free =
                cluster.unpromisedMemory(device) - cluster.neededMemory(device, request.share());
        return 1 - (double) free / Math.max(1, cluster.deviceMemory(device));
    }

    /** The same of its time. */
    public double time(int device) {
        int free = placer.ledger().cluster().free(device) - request.thousandths();
        return 1 - (double) free / Cluster.WHOLE;
    }
}
