/**
 * PTX to PTX: kernels whose launches can be executed in parts, for devices that cannot pause inside
 * a kernel. docs/rewriting.md tells how and what is refused.
 *
 * <p>{@link facet.ptx.rewrite.Rewrite} is the door: it scans ({@code Scan}), learns what each
 * function needs and what stands in the way ({@code Reach}, {@code Evenness}, {@code Barriers}),
 * and then changes bodies ({@code BodyRewriter}, {@code Frames}). All steps are near-linear in the
 * text and counted by {@link facet.ptx.Work}.
 */
@NullMarked
package facet.ptx.rewrite;

import org.jspecify.annotations.NullMarked;
