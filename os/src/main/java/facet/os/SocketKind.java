package facet.os;

/** How a Unix socket carries what is sent. */
public enum SocketKind {
    /** Messages stay whole and in order (SOCK_SEQPACKET). */
    PACKETS(5),
    /** Bytes in order (SOCK_STREAM). */
    STREAM(1),
    /** Messages stay whole; nobody accepts them (SOCK_DGRAM). */
    DATAGRAMS(2);

    private final int number;

    SocketKind(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
