/**
 * PTX IR to JVM classes.
 *
 * <p>{@link facet.jit.Compiler} reads as the pipeline: {@code inlineCalls → splitRegions →
 * inferKinds → emit}. A compiled kernel knows no context: addresses of module variables reach it
 * with each launch, so that sessions share it.
 */
@NullMarked
package facet.jit;

import org.jspecify.annotations.NullMarked;
