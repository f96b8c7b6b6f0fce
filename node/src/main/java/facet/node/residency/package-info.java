/**
 * What is on a device and what has been moved to host memory because slices were promised more than
 * the device has. {@link facet.node.residency.Residency} is the device's book; one thread of it
 * makes all moves. {@link facet.node.residency.Tenant} is the memory of one context.
 *
 * <p>A tenant's gate is held while work is given to its device context, while its book changes and
 * while its bytes move. Nobody holds two gates. The book's monitor is a leaf: it is taken with a
 * gate held, and nothing is called while it is.
 */
@NullMarked
package facet.node.residency;

import org.jspecify.annotations.NullMarked;
