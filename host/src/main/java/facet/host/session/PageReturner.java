package facet.host.session;

import facet.os.ProcessThreads;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Gives pages of freed memory back to the system: one thread for all sessions of the process, which
 * goes from context to context, a piece at a time. So who frees much does not keep others waiting.
 */
final class PageReturner {
    private static final PageReturner OF_PROCESS = new PageReturner();

    private final SequencedSet<ReturningPages> waiting = new LinkedHashSet<>();
    private final Thread thread = ProcessThreads.named("facet-returner").unstarted(this::run);

    private PageReturner() {
        thread.start();
    }

    /** Something has pages to give back. */
    static void include(ReturningPages pages) {
        OF_PROCESS.add(pages);
    }

    private synchronized void add(ReturningPages pages) {
        waiting.add(pages);
        notifyAll();
    }

    private synchronized ReturningPages next() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return waiting.removeFirst();
    }

    private void run() {
        while (true) {
            try {
                ReturningPages pages = next();
                if (giveBackPiece(pages)) {
                    add(pages);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** What goes wrong with one is not to keep the others waiting. */
    private boolean giveBackPiece(ReturningPages pages) {
        try {
            return pages.giveBackPiece();
        } catch (RuntimeException e) {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            return true;
        }
    }
}
