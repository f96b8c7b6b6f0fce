/** X.509 certificates, made. The JDK reads them and makes none. Nothing here keeps anything. */
@NullMarked
package facet.certificates;

import org.jspecify.annotations.NullMarked;
