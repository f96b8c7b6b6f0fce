package facet.abi.worker;

/** Something that the daemon or a worker says. */
public interface WorkerMessage {
    /** Of all that is ever said: so much goes into one packet. */
    int LONGEST = 64 << 10;

    /**
     * As it is sent.
     *
     * @throws IllegalArgumentException when it is not what the table says: a mistake of ours
     */
    byte[] encode();

    /** Whether so many descriptors come with it. */
    boolean takes(int descriptors);
}
