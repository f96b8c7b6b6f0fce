package facet.host.stress;

/**
 * Looks for a reader or writer of this side that sleeps although there is what it sleeps for. It
 * would look for itself after 5 seconds, and nobody would see that it was not woken.
 */
final class Watch {
    private static final int PAUSE_MILLIS = 20;

    /**
     * So often the same is seen before it counts: 3 seconds and more, in which whoever is about to
     * wake the sleeper gets to it.
     */
    private static final int LOOKS = 150;

    private final Shared.Ring commands;
    private final Shared.Ring callbacks;

    Watch(Shared shared) {
        commands = shared.commands;
        callbacks = shared.callbacks;
    }

    /** The work of its thread. */
    void run() throws InterruptedException {
        long commandsBefore = 0;
        long callbacksBefore = 0;
        int reader = 0;
        int writer = 0;
        while (true) {
            Thread.sleep(PAUSE_MILLIS);
            long head = commands.head();
            boolean data = commands.readerSleeps() && head != commands.tail();
            reader = data && head == commandsBefore ? reader + 1 : 0;
            commandsBefore = head;

            long tail = callbacks.tail();
            boolean room =
                    callbacks.writerSleeps() && callbacks.head() - tail <= callbacks.bytes() / 2;
            writer = room && tail == callbacksBefore ? writer + 1 : 0;
            callbacksBefore = tail;
            if (reader == LOOKS || writer == LOOKS) {
                throw new AssertionError(
                        reader == LOOKS
                                ? "the reader sleeps beside commands: nobody woke it"
                                : "the writer of callbacks sleeps beside room: nobody woke it");
            }
        }
    }
}
