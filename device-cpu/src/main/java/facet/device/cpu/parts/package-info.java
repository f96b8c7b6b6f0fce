/**
 * The software GPU as a device that cannot pause inside kernels: modules are rewritten when they
 * are loaded ({@link facet.ptx.rewrite.Rewrite}), and every launch is executed in parts. It shows
 * that rewritten kernels do what they did before, and what that costs: for tests and benchmarks.
 * Programs get the software GPU itself, which pauses wherever it likes.
 */
@NullMarked
package facet.device.cpu.parts;

import org.jspecify.annotations.NullMarked;
