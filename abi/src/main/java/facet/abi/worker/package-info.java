/**
 * What the daemon and its workers say to each other.
 *
 * <p>Most of this package is generated from {@code abi/tables/worker.table}: a record for each
 * message, and what each side hears: {@link facet.abi.worker.ToDaemon}, {@link
 * facet.abi.worker.ToWorker}. All of it is immutable; any thread may use it.
 *
 * <pre>
 *   packet   number:u16  fields, one behind the other
 *   flag     1 byte, 0 or 1
 *   u31      4 bytes      u63, u64   8 bytes; the lowest first
 *   text     u16 bytes, UTF-8
 *   list     u16 elements
 * </pre>
 */
@NullMarked
package facet.abi.worker;

import org.jspecify.annotations.NullMarked;
