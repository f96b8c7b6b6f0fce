/**
 * What a client and its session host say to each other: commands, records, numbers.
 *
 * <p>Most of this package is generated from {@code abi/tables}: a record for each command, an
 * interface {@code …Handler} for each group of them, the {@link facet.abi.Dispatcher} that calls
 * those, a class {@code …Layout} of offsets for each shared record. All of it is immutable or
 * static; any thread may use it. Nothing here touches shared memory by itself: decoding reads a
 * copy.
 */
@NullMarked
package facet.abi;

import org.jspecify.annotations.NullMarked;
