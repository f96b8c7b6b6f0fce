/**
 * Textures and surfaces as kernels see them: what a handle stands for, and the fetches.
 *
 * <p>{@link facet.jit.texture.Texture} and {@link facet.jit.texture.TextureTable} are immutable and
 * shared by all workers. A {@link facet.jit.texture.TextureUnit} belongs to one block.
 *
 * <p>Nothing that a description says is trusted: the address of every texel is held against the
 * memory that the launch may access, as that of every other access ({@link
 * facet.jit.texture.TexelsUnsafe}).
 */
@NullMarked
package facet.jit.texture;

import org.jspecify.annotations.NullMarked;
