/** IR to bytecode: one family of instructions a file, over {@link facet.jit.emit.Unit}. */
@NullMarked
package facet.jit.emit;

import org.jspecify.annotations.NullMarked;
