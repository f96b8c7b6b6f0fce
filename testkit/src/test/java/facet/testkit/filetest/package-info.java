@NullMarked
package facet.testkit.filetest;

import org.jspecify.annotations.NullMarked;
