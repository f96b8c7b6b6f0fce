/** Networks that are slow, lossy and cut, on loopback and by seed. */
@NullMarked
package facet.testkit.net;

import org.jspecify.annotations.NullMarked;
