package facet.host.session;

import facet.device.Context;
import org.jspecify.annotations.Nullable;

/** Hears of the fault of a context and tells client and operator. Any thread. */
final class ContextFaults {
    private final Session session;
    private final ContextReport report;
    private volatile @Nullable Context context;
    private volatile Runnable told = () -> {};
    private volatile boolean closing;

    ContextFaults(Session session, ContextReport report) {
        this.session = session;
        this.report = report;
    }

    /** What is to be done when there is one, also while the context ends. */
    void whenFaulty(Runnable action) {
        told = action;
    }

    void watch(Context made) {
        context = made;
    }

    /** From now on the end of the context's kernels is no news. */
    void closing() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }

    void happened(String line) {
        told.run();
        if (closing) {
            return;
        }
        Context watched = context;
        if (watched != null) {
            watched.fault()
                    .ifPresent(e -> {
                        e.assertions().forEach(session.channel()::printError);
                        report.fault(e.error().code());
                    });
        }
        session.fault(line);
    }
}
