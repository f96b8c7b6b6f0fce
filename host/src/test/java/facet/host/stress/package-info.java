/**
 * Many threads of a C program, made of what client libraries are made of, against the readers in
 * Java: {@code native/test/stress} is the other side. Every thread here has one thing to do; what
 * they share is in {@link facet.host.stress.Shared} and the queues.
 */
@NullMarked
package facet.host.stress;

import org.jspecify.annotations.NullMarked;
