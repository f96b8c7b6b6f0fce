/**
 * A function seen as a graph: flattened body, control flow, loops, liveness.
 *
 * <p>One analysis a file; each takes a {@link facet.ptx.flow.Body} and returns an immutable result.
 */
@NullMarked
package facet.ptx.flow;

import org.jspecify.annotations.NullMarked;
