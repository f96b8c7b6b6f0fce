/** Tests of the generated code, which compare it with what the C compiler of this machine says. */
@NullMarked
package facet.abi;

import org.jspecify.annotations.NullMarked;
