package facet.abi;

/**
 * What a client sends to its session host. Each vocabulary has a sealed interface of its own below
 * this one.
 */
public interface Command {
    /**
     * As it lies in the ring.
     *
     * @param slot reply slot + 1, or 0 when nobody waits
     */
    byte[] encode(int slot, long sequence, int context);
}
