@NullMarked
package facet.kube.agent;

import org.jspecify.annotations.NullMarked;
