/** Kernels that are out for memory which is not theirs, in processes that may die of it. */
@org.jspecify.annotations.NullMarked
package facet.device.cpu.hostile;
