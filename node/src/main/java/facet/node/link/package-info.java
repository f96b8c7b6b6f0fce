/**
 * Several PTX texts become one, as a linker would do it: names that one declares and another one
 * defines are joined, names that several have for themselves are told apart. Works on the text, and
 * knows of PTX only where declarations begin and end. No state, any thread.
 */
@NullMarked
package facet.node.link;

import org.jspecify.annotations.NullMarked;
