/**
 * PTX as data: the typed IR of a module and what turns text into it and back.
 *
 * <p>Everything here is immutable and safe to share between threads. The pipeline is {@code Lexer →
 * Parser → Verifier}; {@link facet.ptx.Printer} goes the other way. {@code facet.ptx.flow} flattens
 * a function for analyses.
 */
@NullMarked
package facet.ptx;

import org.jspecify.annotations.NullMarked;
