package facet.os;

/**
 * Who is at the other end, as the kernel noted it when the connection was made.
 *
 * @param pid in this process' namespace; 0 when it has none there
 */
public record Peer(int pid, int uid, int gid) {}
