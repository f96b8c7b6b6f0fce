/**
 * The device plugins of a node: extended resources that pods ask for, by the kubelet's device
 * plugin protocol v1beta1. Which of the numbered devices a container gets from the kubelet means
 * nothing: {@code Allocate} does not say for whom it is, so the answer is the same for all. It only
 * marks the container; which slice that has is decided by its pod's identity when it is created.
 */
@NullMarked
package facet.kube.plugin;

import org.jspecify.annotations.NullMarked;
