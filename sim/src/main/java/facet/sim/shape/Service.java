package facet.sim.shape;

import facet.sched.Entitlement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An inference service: requests come by chance, more or fewer by the hour.
 *
 * @param peak parts of a device that it needs in its busiest hour, on average
 * @param nanos device time of a request
 */
public record Service(int number, double peak, long nanos, Wave wave) {
    private static final double MILLION = 1e6;

    /**
     * Of which services are drawn. Of those that are not busiest in the evening two of three are so
     * at noon, the others at night.
     *
     * @param smallest load of a device at the peak of the least service
     * @param more of it that a service has on average; at most {@code most}
     * @param shortest milliseconds of device time of the shortest request; the longest takes four
     *     times as long
     * @param trough load in the quietest hour, of the peak
     * @param evening part of all that are busiest in the evening
     */
    public record Kinds(
            int count,
            double smallest,
            double more,
            double most,
            double shortest,
            double trough,
            double evening) {}

    /** Drawn by chance. */
    static List<Service> draw(Kinds kinds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Service> all = new ArrayList<>();
        for (int i = 0; i < kinds.count(); i++) {
            double peak =
                    Math.min(
                            kinds.most(),
                            kinds.smallest() - kinds.more() * Math.log(1 - random.nextDouble()));
            // As many short as long ones.
            long nanos = (long) (kinds.shortest() * MILLION * Math.pow(4, random.nextDouble()));
            double kind = random.nextDouble();
            double late = 3 * random.nextDouble() - 1.5;
            Wave wave =
                    kind < kinds.evening()
                            ? new Wave(kinds.trough(), 20.5 + late, 14)
                            : kind < kinds.evening() + (1 - kinds.evening()) * 2 / 3
                                    ? new Wave(kinds.trough(), 12.5 + late, 12)
                                    : new Wave(kinds.trough(), 3 + late, 8);
            all.add(new Service(i, peak, nanos, wave));
        }
        return all;
    }

    /**
     * Thousandths that it asks for: with room above its peak, and so much that a request by itself
     * is done in a quarter of the promised time when nobody leaves anything. In tens.
     */
    int asked(double room, double promiseMillis) {
        double alone = nanos / (promiseMillis * MILLION / 4);
        return (int) Math.min(1000, 10 * Math.ceil(Math.max(peak * room, alone) * 100));
    }

    Client client(Entitlement entitlement, double hour, double part, long seed) {
        return Client.open(entitlement, part * peak * wave.at(hour), nanos, seed + number);
    }
}
