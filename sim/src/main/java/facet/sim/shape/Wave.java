package facet.sim.shape;

/**
 * How much something is wanted by the hour of the day, as a part of the most.
 *
 * @param least in the quietest hour
 * @param hour of the most
 * @param hours that the swell lasts from its foot to its foot; 24 is a wave without a calm
 */
public record Wave(double least, double hour, double hours) {
    private static final double DAY = 24;

    public Wave {
        if (!(least >= 0 && least <= 1 && hours > 0 && hours <= DAY)) {
            throw new IllegalArgumentException("a wave from " + least + " in " + hours + " hours");
        }
    }

    /** From {@code least} to 1. */
    public double at(double time) {
        double away = Math.abs((time - hour) % DAY);
        double distance = Math.min(away, DAY - away);
        if (distance >= hours / 2) {
            return least;
        }
        double swell = (1 + Math.cos(2 * Math.PI * distance / hours)) / 2;
        return least + (1 - least) * swell;
    }
}
