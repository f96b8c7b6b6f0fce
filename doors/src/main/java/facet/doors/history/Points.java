package facet.doors.history;

/**
 * The points of an answer. Each covers some whole seconds since 1970, and only such as are over: a
 * point that was told does not change.
 *
 * @param start the first second of the first point, since 1970
 * @param count may be 0
 * @param offset from the daemon's seconds to those since 1970
 */
record Points(long start, int step, int count, long offset) {
    /**
     * @param first the first second of which there may be a sample
     * @param last the last one
     */
    static Points of(Query query, long first, long last, long offset) {
        long step = query.step();
        long end = Math.floorDiv(last + offset + 1, step);
        long begin = end - Math.ceilDiv(query.seconds(), query.step());
        begin =
                Math.max(
                        begin,
                        Math.floorDiv(Math.max(first, last - Column.SECONDS + 1) + offset, step));
        if (query.since() > 0) {
            begin = Math.max(begin, Math.floorDiv(query.since(), step) + 1);
        }
        begin = Math.min(begin, end);
        return new Points(begin * step, query.step(), (int) (end - begin), offset);
    }

    /** The first second of a point, as the daemon counts. */
    long second(int point) {
        return start - offset + (long) point * step;
    }

    /**
     * Mean of the samples of a point, times the unit; {@link Long#MIN_VALUE} where there is none.
     */
    long mean(Column column, int point, int unit) {
        long sum = 0;
        int samples = 0;
        long second = second(point);
        for (int i = 0; i < step; i++) {
            int value = column.at(second + i);
            if (value != Column.NONE) {
                sum += value;
                samples++;
            }
        }
        return samples == 0 ? Long.MIN_VALUE : Math.round((double) sum * unit / samples);
    }
}
