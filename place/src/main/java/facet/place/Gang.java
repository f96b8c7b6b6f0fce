package facet.place;

import java.util.List;

/**
 * Jobs that begin together or not at all; one job alone is a gang as well. All are of one queue and
 * one priority.
 *
 * @param patience how long it waits at most before it gives up
 * @param near how far apart its jobs may be
 */
public record Gang(String name, List<Job> jobs, long patience, Near near) {
    public static final long FOREVER = Long.MAX_VALUE;

    /**
     * Each is tried anew whenever there is room: whoever asks for more would hold up all others.
     */
    public static final int MOST_JOBS = 1 << 14;

    /** From the nearest to the farthest. Who may be farther apart still gets the nearest place. */
    public enum Near {
        NODE,
        ZONE,
        ANYWHERE
    }

    public Gang {
        jobs = List.copyOf(jobs);
        if (jobs.isEmpty()) {
            throw new IllegalArgumentException("gang '" + name + "' has no jobs");
        }
        if (jobs.size() > MOST_JOBS) {
            throw new IllegalArgumentException(
                    "gang '%s' has %d jobs; there are at most %d"
                            .formatted(name, jobs.size(), MOST_JOBS));
        }
        Job first = jobs.getFirst();
        for (Job each : jobs) {
            if (!each.queue().equals(first.queue()) || each.priority() != first.priority()) {
                throw new IllegalArgumentException(
                        "jobs of gang '"
                                + name
                                + "' are of different queues or priorities: '"
                                + first.name()
                                + "' and '"
                                + each.name()
                                + "'");
            }
        }
        if (patience < 0) {
            throw new IllegalArgumentException(
                    "gang '" + name + "' with a patience of " + patience);
        }
    }

    public static Gang of(Job job) {
        return new Gang(job.name(), List.of(job), FOREVER, Near.ANYWHERE);
    }

    public String queue() {
        return jobs.getFirst().queue();
    }

    public int priority() {
        return jobs.getFirst().priority();
    }

    /** Whether all of it may be made to leave; else it may not borrow. */
    public boolean canLeave() {
        return jobs.stream().noneMatch(each -> each.stay().leaving() == Job.Leaving.NEVER);
    }

    public List<Request> requests() {
        return jobs.stream().map(Job::request).toList();
    }

    /** Thousandths of all devices of all its jobs. */
    public long demand() {
        return jobs.stream().mapToLong(each -> each.request().demand()).sum();
    }
}
