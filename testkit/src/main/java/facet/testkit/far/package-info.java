/**
 * A device whose memory nobody else can map, as a vendor's GPU or one in another machine: the
 * software GPU without that. What works on it needs no mapping.
 */
@NullMarked
package facet.testkit.far;

import org.jspecify.annotations.NullMarked;
