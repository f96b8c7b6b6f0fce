package facet.device.cpu;

import facet.os.SchedulingUnsafe;

/** A thread of the device. */
final class Worker extends Thread {
    /** Deep recursion in kernels is recursion in Java. */
    private static final long STACK = 64L << 20;

    /**
     * Linux lets a thread that wakes run before one that asked for longer turns. Sessions are not
     * to wait for kernels, which take all they get: they ask for far less. But kernels are not to
     * wait either, for compilers and whatever else computes on a seat's core.
     */
    private static final long TIME_SLICE = 3_000_000;

    private final Seats seats;
    private final Sitter sitter;

    Worker(Seats seats, String name) {
        super(null, null, name, STACK);
        this.seats = seats;
        sitter = new Sitter(seats, this);
        setDaemon(true);
    }

    Sitter sitter() {
        return sitter;
    }

    @Override
    public void run() {
        sitter.begins();
        SchedulingUnsafe.askForTurns(TIME_SLICE);
        try {
            workOn();
        } finally {
            Scratch.endOfWorker();
        }
    }

    private void workOn() {
        while (sitter.await()) {
            boolean ended = false;
            Line.Piece first = sitter.takeGiven();
            Runnable work = first == null ? null : first.work();
            if (first != null && work != null) {
                sitter.worksFor(first.control().share());
                perform(work);
                ended = true;
            }
            while ((work = seats.next(sitter, ended)) != null) {
                perform(work);
                ended = true;
            }
            if (seats.isClosed() || !seats.keep(sitter)) {
                return;
            }
        }
    }

    /** A defect costs the piece of work, not the seat. */
    static void perform(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
