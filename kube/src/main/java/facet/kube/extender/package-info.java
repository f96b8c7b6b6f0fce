/**
 * The extender of the stock kube-scheduler: which nodes have the part that a pod asks for, which
 * are best, and the bind, which goes through the books as all binds do. Also under the paths of
 * Aliyun's gpushare. Every request runs in a thread of the server; the cluster's state has its
 * lock.
 */
@NullMarked
package facet.kube.extender;

import org.jspecify.annotations.NullMarked;
