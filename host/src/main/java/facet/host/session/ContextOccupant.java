package facet.host.session;

import facet.host.residency.Occupant;

/** What residency asks of a context and tells its client. Any thread. */
final class ContextOccupant implements Occupant {
    private final Session session;
    private final SessionContext context;
    private final ContextReport report;
    private final Pause pause;

    ContextOccupant(Session session, SessionContext context, ContextReport report, Pause pause) {
        this.session = session;
        this.context = context;
        this.report = report;
        this.pause = pause;
    }

    @Override
    public String slice() {
        return session.options().slice();
    }

    @Override
    public int priority() {
        return session.residency().priority().getAsInt();
    }

    @Override
    public boolean isWorking() {
        return context.work().isUnderWay();
    }

    @Override
    public boolean hasWork() {
        return context.work().isAny();
    }

    @Override
    public void hold(boolean wanted) {
        pause.forMemory(wanted);
    }

    @Override
    public boolean isEnding() {
        return context.isEnding();
    }

    @Override
    public void moved(boolean moved) {
        report.moved(moved);
    }

    @Override
    public boolean isTouched() {
        return report.isTouched();
    }

    @Override
    public long published() {
        return session.channel().published();
    }

    @Override
    public long read() {
        return session.channel().read();
    }

    @Override
    public void log(String text) {
        session.log("context " + context.id() + ": " + text);
    }
}
