package facet.bench.isolation;

/** What a tenant did in a while. */
record Stretch(Progress progress, long from, long to) {
    /** Blocks in a second in which the cores were there. */
    double rate(Gaps gaps) {
        return progress.rate(from, to) / gaps.presence(from, to);
    }
}
