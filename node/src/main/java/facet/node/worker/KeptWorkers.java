package facet.node.worker;

import facet.log.Log;
import facet.log.Who;
import facet.os.ProcessorTimeUnsafe;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Workers whose slice has gone, with what was compiled in them, for the next slice whose code has
 * the same name. Whoever had a worker may have taken it over, so nobody else ever gets it: the name
 * is what the daemon knows of the slice, and the worker has no say in it.
 */
final class KeptWorkers {
    /** One name is not to take the place of all others. */
    private static final int MOST_OF_NAME = 4;

    private final Keeping keeping;
    private final IdleWorkers idle;
    private final Predicate<StartedWorker> stepsBack;
    private final Log log;

    /** Those used last come last. */
    private final List<Kept> all = new ArrayList<>();

    /** Those that are about to let go of their slice. */
    private final Set<StartedWorker> coming = new HashSet<>();

    private boolean closed;

    /**
     * @param stepsBack has a worker wait without being in anybody's way; whether that was possible
     */
    KeptWorkers(Keeping keeping, IdleWorkers idle, Predicate<StartedWorker> stepsBack, Log log) {
        this.keeping = keeping;
        this.idle = idle;
        this.stepsBack = stepsBack;
        this.log = log;
    }

    /** One of them. */
    private final class Kept implements IdleWorkers.Idler {
        private final StartedWorker worker;
        private final String name;
        private final String slice;
        private final int process;
        private final long processor;

        Kept(StartedWorker worker, String name, String slice) {
            this.worker = worker;
            this.name = name;
            this.slice = slice;
            process = worker.jvm();
            processor = ProcessorTimeUnsafe.of(process).orElse(0);
        }

        @Override
        public boolean isLookedAfter() {
            return true;
        }

        @Override
        public boolean mayStay() {
            Optional<String> fault = fault();
            fault.ifPresent(each ->
                    log.debug(Who.part("workers"), "worker " + process + " ends: it " + each));
            return fault.isEmpty();
        }

        /** Why it cannot stay, and cannot have another slice. */
        private Optional<String> fault() {
            if (!worker.process().isAlive()) {
                return Optional.of("has died");
            }
            if (worker.link().hasNews()) {
                return Optional.of("spoke though nobody asked");
            }
            long used = ProcessorTimeUnsafe.of(process).orElse(Long.MAX_VALUE) - processor;
            if (used > keeping.processor().toNanos()) {
                return Optional.of("works though it has nothing to do");
            }
            if (ProcessMemory.ofItsOwn(process) > keeping.memory()) {
                return Optional.of("has too much memory");
            }
            return keeping.scarce().getAsBoolean()
                    ? Optional.of("has memory that the machine needs")
                    : Optional.empty();
        }

        @Override
        public void retire() {
            if (forget(this)) {
                worker.discard();
            }
        }
    }

    /**
     * Waits for a worker whose slice has ended.
     *
     * @param name of the slice's code
     * @param slice its name
     */
    RunningWorker.Next after(String name, String slice) {
        return new RunningWorker.Next() {
            @Override
            public void comes(StartedWorker worker) {
                boolean late;
                synchronized (KeptWorkers.this) {
                    late = closed;
                    coming.add(worker);
                }
                if (late) {
                    worker.discard();
                }
            }

            @Override
            public void came(StartedWorker worker, boolean released) {
                synchronized (KeptWorkers.this) {
                    coming.remove(worker);
                }
                if (released && stepsBack.test(worker)) {
                    add(worker, name, slice);
                } else {
                    worker.discard();
                }
            }
        };
    }

    private void add(StartedWorker worker, String name, String slice) {
        Kept kept = new Kept(worker, name, slice);
        boolean stays = kept.mayStay();
        @Nullable Kept oldest = null;
        synchronized (this) {
            stays &= !closed;
            if (stays) {
                List<Kept> same = all.stream().filter(each -> each.name.equals(name)).toList();
                oldest = same.size() < MOST_OF_NAME ? null : same.getFirst();
                all.add(kept);
                idle.add(kept);
            }
        }
        if (!stays) {
            worker.discard();
            return;
        }
        log.debug(Who.part("workers"), "worker " + kept.process + " is kept for code of " + name);
        if (oldest != null) {
            idle.remove(oldest);
            oldest.retire();
        }
    }

    /**
     * One that had a slice with the same name for its code; best one that had the same program, by
     * the slice's name. It is the caller's.
     */
    Optional<StartedWorker> take(String name, String slice) {
        while (true) {
            Optional<Kept> found =
                    last(each -> each.name.equals(name) && each.slice.equals(slice))
                            .or(() -> last(each -> each.name.equals(name)));
            if (found.isEmpty()) {
                return Optional.empty();
            }
            idle.remove(found.get());
            if (!forget(found.get())) {
                continue; // somebody was quicker
            }
            if (found.get().mayStay()) {
                return Optional.of(found.get().worker);
            }
            found.get().worker.discard();
        }
    }

    private synchronized Optional<Kept> last(Predicate<Kept> wanted) {
        return all.reversed().stream().filter(wanted).findFirst();
    }

    private synchronized boolean forget(Kept kept) {
        return all.remove(kept);
    }

    /** How many there are. */
    synchronized int count() {
        return all.size();
    }

    /** None is kept any more. */
    void close() {
        List<Kept> left;
        List<StartedWorker> late;
        synchronized (this) {
            closed = true;
            left = List.copyOf(all);
            late = List.copyOf(coming);
        }
        left.forEach(Kept::retire);
        late.forEach(StartedWorker::discard);
    }
}
