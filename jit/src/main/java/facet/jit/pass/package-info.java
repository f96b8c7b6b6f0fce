/** What happens to a kernel's IR before code is emitted; one pass a file. */
@NullMarked
package facet.jit.pass;

import org.jspecify.annotations.NullMarked;
