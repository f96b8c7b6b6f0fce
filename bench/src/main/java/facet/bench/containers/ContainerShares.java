package facet.bench.containers;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.bench.isolation.ContainedTenants;
import java.util.ArrayList;
import java.util.List;

/** Two containers that always have work: does each get its part of the device? */
public final class ContainerShares implements Measurement {
    private static final List<Integer> PERCENTS = List.of(70, 30);
    private static final String MEMORY = "1GiB";

    @Override
    public String name() {
        return "shares";
    }

    @Override
    public String about() {
        return "two runc containers, each with 1 GiB: distance of their device time from the"
                + " promise, in points";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table = ContainedTenants.table(name(), about());
        String hindrance = Station.hindrance();
        if (!hindrance.isEmpty()) {
            table.note(hindrance);
            return table;
        }
        try (Station station = new Station()) {
            List<ProcessBuilder> containers = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (int percent : PERCENTS) {
                Bundle bundle =
                        station.bundle(
                                List.of(RootFilesystem.TENANT, RootFilesystem.KERNELS),
                                "FACET_MEMORY=" + MEMORY,
                                "FACET_COMPUTE=" + percent);
                ids.add("share-" + percent);
                containers.add(station.command(Station.WRAPPER, bundle, ids.getLast()));
            }
            ContainedTenants.measure(
                    table, station.directory(), ids, PERCENTS, containers, options.quick());
        }
        return table;
    }
}
