/**
 * What keeps a worker process from the rest of the machine: {@code facet-confine}, which starts it,
 * the files that it sees, its control groups. {@link facet.node.confine.Confinement} is the door.
 * Any thread may ask. docs/isolation.md says what each piece stops.
 */
@NullMarked
package facet.node.confine;

import org.jspecify.annotations.NullMarked;
