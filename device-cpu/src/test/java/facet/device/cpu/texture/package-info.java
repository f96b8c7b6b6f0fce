/** Textures against a slow reference, and descriptions that lie. */
@NullMarked
package facet.device.cpu.texture;

import org.jspecify.annotations.NullMarked;
