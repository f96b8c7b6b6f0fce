package facet.kube.names;

import facet.place.Cluster;
import facet.sched.Policy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a container's names say together. Two that say different things about one are refused. */
final class Wishes {
    private static final int MOST_PRIORITY = 1000;
    private static final long MEBIBYTE = 1L << 20;

    private final Map<Name.Says, Said> said = new EnumMap<>(Name.Says.class);
    private final String container;

    private Wishes(String container) {
        this.container = container;
    }

    static Wish of(String container, List<Said> all) throws NamesException {
        Wishes wishes = new Wishes(container);
        for (Said each : all) {
            wishes.add(each);
        }
        return wishes.wish(all.getFirst().name().family());
    }

    private void add(Said one) throws NamesException {
        Said other = said.putIfAbsent(one.name().says(), one);
        boolean same =
                other == null
                        || other.value() == one.value()
                                && other.name().unit().isRelative()
                                        == one.name().unit().isRelative()
                                && (one.name().unit() != Unit.TEXT
                                        || other.text().equals(one.text()));
        if (!same) {
            throw refused(other.shown() + " and " + one.shown() + " differ; leave one of them out");
        }
    }

    private NamesException refused(String why) {
        return new NamesException("container '" + container + "': " + why);
    }

    private long value(Name.Says says, long least, long most, long otherwise)
            throws NamesException {
        Said one = said.get(says);
        if (one == null) {
            return otherwise;
        }
        if (one.value() < least || one.value() > most) {
            boolean percent = one.name().unit() == Unit.PERCENT;
            throw refused(
                    one.shown()
                            + " is not within "
                            + (percent ? least / 10 + " and " + most / 10 : least + " and " + most)
                            + (one.name().unit() == Unit.PART ? " thousandths" : ""));
        }
        return one.value();
    }

    private Wish wish(Family family) throws NamesException {
        int thousandths = (int) value(Name.Says.COMPUTE, 0, Cluster.WHOLE, 0);
        int devices = (int) value(Name.Says.DEVICES, 1, Cluster.MOST_DEVICES, 1);
        Said cores = said.get(Name.Says.CORES);
        if (cores != null) {
            int all = (int) value(Name.Says.CORES, 1, Cluster.MOST_DEVICES * Cluster.WHOLE, 0);
            if (all > Cluster.WHOLE && all % Cluster.WHOLE != 0) {
                throw refused(
                        cores.shown()
                                + " is more than a device and no whole number of them; write less than"
                                + " 100, or 200, 300 …");
            }
            thousandths = Math.min(all, Cluster.WHOLE);
            devices = Math.max(1, all / Cluster.WHOLE);
        }
        int burst = (int) value(Name.Says.BURST, 0, Cluster.WHOLE, 0);
        if (burst > 0 && (thousandths > 0 || devices > 1)) {
            throw refused(
                    "a burst is of one device, and instead of compute that is promised; leave one of"
                            + " them out");
        }
        return new Wish(
                container,
                family,
                devices,
                memory(devices, thousandths),
                thousandths,
                (int) value(Name.Says.CODEC, 0, Cluster.WHOLE, 0),
                (int) value(Name.Says.RENDER, 0, Cluster.WHOLE, 0),
                burst,
                policy(thousandths),
                (int) value(Name.Says.PRIORITY, 0, MOST_PRIORITY, 0));
    }

    private Wish.Memory memory(int devices, int thousandths) throws NamesException {
        Said each = said.get(Name.Says.MEMORY);
        Said sum = said.get(Name.Says.MEMORY_SUM);
        if (each != null && sum != null) {
            throw refused(each.shown() + " and " + sum.shown() + ": leave one of them out");
        }
        Said written = each != null ? each : sum;
        if (written == null) {
            return new Wish.Memory.All();
        }
        if (each != null && each.name().unit().isRelative()) {
            int part = (int) value(Name.Says.MEMORY, 1, Cluster.WHOLE, 0);
            return part == Cluster.WHOLE ? new Wish.Memory.All() : new Wish.Memory.Part(part);
        }
        // Whole devices have their memory, whatever was written beside them.
        if (sum != null && said.containsKey(Name.Says.CORES) && thousandths == Cluster.WHOLE) {
            return new Wish.Memory.All();
        }
        long bytes = each != null ? each.value() : divided(sum, devices);
        if (bytes < MEBIBYTE) {
            throw refused(written.shown() + " is less than 1 MiB of a device's memory");
        }
        return new Wish.Memory.Bytes(bytes);
    }

    private static long divided(@Nullable Said sum, int devices) {
        return sum == null ? 0 : sum.value() / devices;
    }

    private Policy policy(int thousandths) throws NamesException {
        Said one = said.get(Name.Says.POLICY);
        Said most = said.get(Name.Says.MOST);
        Policy named = one == null ? null : parse(one);
        if (most != null) {
            if (most.value() != thousandths && most.value() != Cluster.WHOLE) {
                throw refused(
                        most.shown()
                                + " lies above what is promised and below a device; Facet holds a"
                                + " container to its promise, or gives it all that others leave idle:"
                                + " write the request, or 1.0");
            }
            Policy implied = most.value() == thousandths ? Policy.FIXED : Policy.BURST;
            return named == null ? implied : named;
        }
        if (named == Policy.FIXED && thousandths == 0) {
            throw refused("policy fixed without compute: say how much, or take the policy burst");
        }
        if (named != null) {
            return named;
        }
        return thousandths > 0 ? Policy.FIXED : Policy.BURST;
    }

    private Policy parse(Said one) throws NamesException {
        try {
            return Policy.parse(one.text());
        } catch (IllegalArgumentException e) {
            throw refused(one.name().name() + ": " + e.getMessage());
        }
    }
}
