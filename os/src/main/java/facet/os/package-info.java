/**
 * What Facet asks of Linux: mappings, shared memory, futexes, sockets that carry descriptors; and
 * how its threads wait.
 *
 * <p>Every class is for any thread. A call that blocks (receive, accept, send, futex wait) blocks
 * the platform thread that runs it; a virtual thread would hold its carrier. Numbers are those of
 * 64-bit Linux, x86-64 and aarch64.
 */
@NullMarked
package facet.os;

import org.jspecify.annotations.NullMarked;
