/**
 * Builds the CUDA programs of this module and runs them, unmodified, against a daemon of their own.
 *
 * <p>Programs are built by two threads; they run one after the other, each in a slice that exists
 * only for it.
 */
@NullMarked
package facet.system.tests;

import org.jspecify.annotations.NullMarked;
