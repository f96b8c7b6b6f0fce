/**
 * How others reach Facet in a cluster: HTTPS with certificates that are made and renewed here
 * ({@link facet.kube.serve.ServerKeys}), for those alone who have a certificate of the same
 * authority or know the token ({@link facet.kube.serve.HttpsDoor}).
 */
@NullMarked
package facet.kube.serve;

import org.jspecify.annotations.NullMarked;
