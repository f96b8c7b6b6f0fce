package facet.sim.shape;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Request;
import facet.sched.Entitlement;
import facet.sched.Terms;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;

/**
 * Many inference services with daily waves: how many devices they need with the same promise of
 * latency when each has whole devices, when each has a hard part of one, and when parts may use
 * what others leave. iQIYI has told of more than 100 services on 35 devices.
 *
 * @param services how many
 * @param peaks devices that they would need if all were busiest at once, without any room
 * @param promise milliseconds within which 99 of 100 requests of every service end, in every hour
 * @param whole devices when each service has its own ones
 * @param fixed devices when each service has a hard part of one, as large as the promise needs
 * @param shared devices when each has a part with policy burst
 * @param room what they ask for then, of their peaks: the least with which the promise is kept
 * @param worst milliseconds for 99 of 100 requests of the service that waited longest, in its worst
 *     hour, shared
 * @param wholeUtilisation percent of time in which a device worked, mean over devices and the day
 * @param sharedUtilisation the same when they share
 */
public record Inference(
        long seed,
        int services,
        double peaks,
        double promise,
        int whole,
        int fixed,
        int shared,
        double room,
        double worst,
        double wholeUtilisation,
        double sharedUtilisation) {
    /**
     * What is assumed of the day.
     *
     * @param promise milliseconds
     */
    public record Assumptions(Service.Kinds services, double promise) {}

    public static final Assumptions USUAL =
            new Assumptions(new Service.Kinds(100, 0.06, 0.2, 0.6, 2, 0.15, 0.7), 200);

    /** What services ask for, of their peaks: this at first, then more until it is enough. */
    private static final double ROOM = 1;

    private static final double STEP = 0.1;
    private static final double MOST_ROOM = 3;

    /** That a service may need by itself. */
    private static final int MOST_DEVICES = 100;

    public static Inference run(long seed) {
        return run(USUAL, seed);
    }

    /**
     * @throws IllegalStateException when the promise cannot be kept
     */
    public static Inference run(Assumptions assumed, long seed) {
        double promise = assumed.promise();
        List<Service> services = Service.draw(assumed.services(), seed);
        int whole = services.stream().mapToInt(each -> whole(each, promise, seed)).sum();
        double wholeLoad = 0;
        for (Service each : services) {
            for (int hour = 0; hour < Day.HOURS; hour++) {
                wholeLoad += 100 * each.peak() * each.wave().at(hour) / Day.HOURS;
            }
        }
        List<Integer> parts =
                services.stream().map(each -> fixedPart(each, promise, seed)).toList();
        Shared fixed =
                search(
                        services,
                        room -> parts.stream().map(each -> room * each / ROOM).toList(),
                        Terms::fixed,
                        promise,
                        seed);
        Shared shared =
                search(
                        services,
                        room ->
                                services.stream()
                                        .map(each -> (double) each.asked(room, promise))
                                        .toList(),
                        Terms::burst,
                        promise,
                        seed);
        return new Inference(
                seed,
                services.size(),
                services.stream().mapToDouble(Service::peak).sum(),
                promise,
                whole,
                fixed.days().size(),
                shared.days().size(),
                shared.room(),
                Day.worst(shared.days()),
                wholeLoad / whole,
                Day.mean(shared.days()));
    }

    /** Devices through a day, with what services asked for above their peaks. */
    private record Shared(double room, List<Day> days) {}

    /** The least room with which the promise is kept, on as few devices as that takes. */
    private static Shared search(
            List<Service> services,
            DoubleFunction<List<Double>> parts,
            IntFunction<Terms> terms,
            double promise,
            long seed) {
        for (double room = ROOM; room <= MOST_ROOM; room += STEP) {
            List<Request> requests =
                    parts.apply(room).stream()
                            .map(each -> part((int) Math.min(1000, 10 * Math.ceil(each / 10))))
                            .toList();
            List<Day> days = share(services, requests, terms, devices(requests), seed);
            if (Day.worst(days) <= promise) {
                return new Shared(room, days);
            }
        }
        throw new IllegalStateException("the promise is not kept with any room, seed " + seed);
    }

    private static Request part(int thousandths) {
        return new Request(1, thousandths, Models.ANY, 0, 0);
    }

    /** The fewest on which all are placed, in the order in which they come. */
    private static int devices(List<Request> requests) {
        int count = requests.stream().mapToInt(Request::thousandths).sum() / Cluster.WHOLE;
        while (!fit(requests, Math.max(1, count))) {
            count++;
        }
        return Math.max(1, count);
    }

    private static boolean fit(List<Request> requests, int count) {
        Devices devices = new Devices(count, Cluster.WHOLE, 1);
        return requests.stream().allMatch(each -> devices.place(0, each));
    }

    private static List<Day> share(
            List<Service> services,
            List<Request> requests,
            IntFunction<Terms> terms,
            int count,
            long seed) {
        Devices devices = new Devices(count, Cluster.WHOLE, 1);
        for (int i = 0; i < requests.size(); i++) {
            if (!devices.place(i, requests.get(i))) {
                throw new IllegalStateException("no place for service " + i + " any more");
            }
        }
        List<Day> days = Day.none();
        for (List<Integer> there : devices.on()) {
            Day day = new Day();
            day.run(
                    (hour, look) -> {
                        Map<Integer, Client> clients = new HashMap<>();
                        for (int i : there) {
                            int percent = Math.max(1, requests.get(i).thousandths() / 10);
                            Entitlement rights = terms.apply(percent).at(Instant.EPOCH);
                            clients.put(i, services.get(i).client(rights, hour, 1, look));
                        }
                        return clients;
                    },
                    seed);
            days.add(day);
        }
        return days;
    }

    /** Devices that a service alone needs for its promise, each with the same part of the load. */
    private static int whole(Service service, double promise, long seed) {
        int count = 1;
        while (alone(service, 1.0 / count, Entitlement.REST, seed) > promise) {
            if (++count > MOST_DEVICES) {
                throw new IllegalStateException("the promise is shorter than a request takes");
            }
        }
        return count;
    }

    /** Thousandths of a device that keep the promise when there is never more; in tens. */
    private static int fixedPart(Service service, double promise, long seed) {
        int low = (int) (100 * service.peak());
        int high = 100;
        while (low + 1 < high) {
            int middle = (low + high) / 2;
            Entitlement rights = Terms.fixed(Math.max(1, middle)).at(Instant.EPOCH);
            if (alone(service, 1, rights, seed) <= promise) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return 10 * high;
    }

    /** Milliseconds for 99 of 100 requests in its busiest hour. */
    private static double alone(Service service, double part, Entitlement rights, long seed) {
        Client client = service.client(rights, service.wave().hour(), part, seed);
        SharedDevice device = new SharedDevice();
        device.add(client);
        long time = Day.LOOKS * Day.LOOK_NANOS;
        device.run(time);
        return Day.percentile99(client.latencies(time));
    }
}
