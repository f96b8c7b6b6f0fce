/**
 * Memory of devices that programs cannot map. What a program accesses by plain pointers (managed
 * and pinned memory) is there twice: on the device, and in an image that the program maps. {@link
 * facet.host.mirror.Mirror} makes both alike at the points that CUDA defines: before a kernel or a
 * copy, and when it has ended. {@link facet.host.mirror.MirroredContext} puts these points in the
 * order of the streams, so that nobody else knows the difference.
 *
 * <p>Exchanges run on threads of the device, as work of the stream that needs them. The mirror's
 * monitor is a leaf.
 */
@NullMarked
package facet.host.mirror;

import org.jspecify.annotations.NullMarked;
