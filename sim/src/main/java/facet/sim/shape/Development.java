package facet.sim.shape;

import facet.place.Models;
import facet.place.Request;
import facet.place.Share;
import facet.place.Where;
import facet.sched.Entitlement;
import facet.sched.Terms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Services and development environments. At first everyone has a whole device, and most of them are
 * idle most of the time. Then services ask for what they need, and environments for a burst: they
 * are promised what others leave, beyond what the device has, and give way to services. Baidu has
 * told that this brought mean utilisation from 20 % to 35 %.
 *
 * @param services how many; each has a daily wave
 * @param apart environments, when each has a whole device
 * @param together environments on the same devices, when they have bursts: as many as are placed
 * @param before percent of time in which a device worked, mean over devices and the day
 * @param after the same with bursts
 * @param promise milliseconds within which 99 of 100 requests of every service end, in every hour
 * @param worstBefore milliseconds for 99 of 100 requests of the service that waited longest, in its
 *     worst hour
 * @param worstAfter the same with bursts
 */
public record Development(
        long seed,
        int devices,
        int services,
        int apart,
        int together,
        double before,
        double after,
        double promise,
        double worstBefore,
        double worstAfter) {
    /**
     * What is assumed of the day.
     *
     * @param devices of which every service has one at first, and environments the others
     * @param promised what may be promised of a device with bursts, in thousandths
     * @param burst what an environment asks for
     * @param active when somebody works with an environment, its device is wanted for this part of
     *     the time at most
     */
    public record Assumptions(
            int devices, Service.Kinds services, int promised, int burst, double active) {}

    public static final Assumptions USUAL =
            new Assumptions(
                    40, new Service.Kinds(30, 0.42, 0.28, 0.8, 2, 0.15, 0.7), 2000, 350, 0.33);

    public static final double PROMISE_MILLIS = 200;

    /** Somebody works with an environment by day; at night few do. */
    private static final Wave WORK = new Wave(0.05, 15, 16);

    /** A step of training, and what the program does on the processor between two of them. */
    private static final long STEP_NANOS = 30_000_000;

    private static final long PAUSE_NANOS = 20_000_000;

    private static final double ROOM = 1.2;

    /** Behind everybody who has a share: they run when nobody else wants to. */
    private static final Entitlement BEHIND = Terms.priority(0).at(Instant.EPOCH);

    public static Development run(long seed) {
        return run(USUAL, seed);
    }

    /**
     * @throws IllegalStateException when services do not fit on the devices
     */
    public static Development run(Assumptions assumed, long seed) {
        List<Service> services = Service.draw(assumed.services(), seed);
        int apart = assumed.devices() - services.size();
        List<Day> before = Day.none();
        for (Service each : services) {
            before.add(day(List.of(each), Entitlement.REST, 0, 0, assumed.active(), seed));
        }
        for (int i = 0; i < apart; i++) {
            before.add(day(List.of(), Entitlement.REST, 1, i, assumed.active(), seed));
        }
        Devices devices = new Devices(assumed.devices(), assumed.promised(), seed);
        for (Service each : services) {
            Request part = new Request(1, each.asked(ROOM, PROMISE_MILLIS), Models.ANY, 0, 0);
            if (!devices.place(each.number(), part)) {
                throw new IllegalStateException("no place for service " + each.number());
            }
        }
        Request burst = new Request(1, Share.burst(assumed.burst()), Where.ANYWHERE, 0, 0);
        int together = 0;
        int most = assumed.devices() * assumed.promised() / assumed.burst();
        while (together < most && devices.place(-1, burst)) {
            together++;
        }
        List<Day> after = Day.none();
        int environments = 0;
        for (List<Integer> there : devices.on()) {
            List<Service> some =
                    there.stream().filter(each -> each >= 0).map(services::get).toList();
            int count = there.size() - some.size();
            after.add(day(some, BEHIND, count, environments, assumed.active(), seed));
            environments += count;
        }
        return new Development(
                seed,
                assumed.devices(),
                services.size(),
                apart,
                together,
                Day.mean(before),
                Day.mean(after),
                PROMISE_MILLIS,
                Day.worst(before),
                Day.worst(after));
    }

    /**
     * @param rights of environments
     * @param first the number of the first of them
     */
    private static Day day(
            List<Service> services,
            Entitlement rights,
            int environments,
            int first,
            double active,
            long seed) {
        Day day = new Day();
        day.run(
                (hour, look) -> {
                    Map<Integer, Client> clients = new HashMap<>();
                    for (Service each : services) {
                        int percent = Math.max(1, each.asked(ROOM, PROMISE_MILLIS) / 10);
                        Entitlement promised = Terms.burst(percent).at(Instant.EPOCH);
                        clients.put(each.number(), each.client(promised, hour, 1, look));
                    }
                    for (int i : active(active * WORK.at(hour), first, environments, look)) {
                        clients.put(
                                -1 - i, Client.closed(rights, STEP_NANOS, PAUSE_NANOS, look + i));
                    }
                    return clients;
                },
                seed);
        return day;
    }

    /** Those in which something runs just now. */
    private static List<Integer> active(double part, int first, int count, long look) {
        List<Integer> active = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            SplittableRandom random = new SplittableRandom(look + 7919L * i);
            if (random.nextDouble() < part) {
                active.add(i);
            }
        }
        return active;
    }
}
