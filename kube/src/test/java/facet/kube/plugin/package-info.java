@NullMarked
package facet.kube.plugin;

import org.jspecify.annotations.NullMarked;
