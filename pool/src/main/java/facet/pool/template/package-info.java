/**
 * Commands that repeat are not sent again: a program that trains sends the same thousand records in
 * every step, and of some of them a few bytes are others. Both sides keep the last records in a
 * {@link facet.pool.template.History}; what is sent is where in it the sequence goes on, for how
 * long, and what changed. The two are in step because the lane delivers each message once and in
 * order, also over connections that break: nothing about them is ever negotiated.
 *
 * <p>An encoder and a decoder belong to one thread each.
 */
@NullMarked
package facet.pool.template;

import org.jspecify.annotations.NullMarked;
