package facet.pool.piece;

/** The way that pieces take. */
public interface Road {
    /** Bytes a second that get through while there is something to send; 0: not known yet. */
    double bytesPerSecond();
}
