package facet.place.queue;

import facet.place.Job;

/**
 * What a dispatcher may do for a gang that does not fit.
 *
 * @param reserves keep room for the first of each queue; others go ahead of it where that does not
 *     delay it
 * @param preempts make others leave
 * @param mostMoves move so many others at most; 0: none
 */
public record Rules(boolean reserves, boolean preempts, int mostMoves, Costs costs) {
    /** What it costs to disturb a job, in any unit as long as it is the same. */
    public interface Costs {
        /**
         * @param ran how long it ran
         */
        long evict(Job job, long ran);

        long move(Job job, long ran);
    }

    /** Work that is lost: thousandths of devices, times how long. A move stops it for a moment. */
    public enum LostWork implements Costs {
        COUNTED;

        private static final long LONGEST = 1L << 40;

        @Override
        public long evict(Job job, long ran) {
            return 1 + (1 + job.request().demand()) * Math.clamp(ran, 0, LONGEST);
        }

        @Override
        public long move(Job job, long ran) {
            return job.stay().leaving() == Job.Leaving.MOVES
                    ? 1 + job.request().demand()
                    : evict(job, ran);
        }
    }

    /** Tries all again whenever something changes, and does nothing else. */
    public static final Rules PLAIN = new Rules(false, false, 0, LostWork.COUNTED);

    public static final Rules ALL = new Rules(true, true, 4, LostWork.COUNTED);
}
