/**
 * Turns the tables of this module into C and Java.
 *
 * <p>A program that the build starts from its sources: {@code java
 * abi/generator/facet/abi/generate/Generate.java}. It needs nothing but a JDK. {@link
 * facet.abi.generate.Generate} reads as the list of what is written. One thread runs all of it.
 */
@NullMarked
package facet.abi.generate;

import org.jspecify.annotations.NullMarked;
