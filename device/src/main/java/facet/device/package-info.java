/**
 * The Device port: what Facet asks of a GPU, whether it is the software one, a real one behind a
 * vendor's driver, or one on another node. Records and small interfaces, no behaviour.
 *
 * <p>All interfaces may be called from any thread. Work given to one {@link facet.device.Stream}
 * runs in the order of the calls; different streams run concurrently.
 */
@NullMarked
package facet.device;

import org.jspecify.annotations.NullMarked;
