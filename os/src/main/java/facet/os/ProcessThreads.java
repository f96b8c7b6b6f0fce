package facet.os;

/**
 * Threads of the whole process, which serve everybody in it and stay. By itself a thread belongs to
 * the group of whoever needed it first, and would be taken for a part of its work.
 */
public final class ProcessThreads {
    private static final ThreadGroup ALL = top(Thread.currentThread().getThreadGroup());

    private ProcessThreads() {}

    private static ThreadGroup top(ThreadGroup group) {
        ThreadGroup above = group.getParent();
        return above == null ? group : top(above);
    }

    /** One that does not keep the process from ending. */
    public static Thread.Builder.OfPlatform named(String name) {
        return Thread.ofPlatform().group(ALL).name(name).daemon();
    }
}
