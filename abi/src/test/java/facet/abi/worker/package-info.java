/** Tests of the worker's messages. */
@NullMarked
package facet.abi.worker;

import org.jspecify.annotations.NullMarked;
