package facet.node.container;

import java.io.IOException;
import java.util.Optional;

/** The processes of the machine, as far as containers have some. */
interface Processes extends AutoCloseable {
    /** Who has the number now. */
    Optional<Incarnation> find(int pid);

    /**
     * Whether it is still the container runtime's, and has not become what the container runs. A
     * kubelet that is killed in the middle of a creation can leave such a one behind for good.
     */
    boolean isUnstarted(Incarnation process);

    /**
     * @param atEnd done once, on a thread that must not be held up
     * @return closing it ends the watch
     * @throws IOException that process has ended already
     */
    Watched watch(Incarnation process, Runnable atEnd) throws IOException;

    /** A process that is waited for. */
    interface Watched extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    void close();
}
