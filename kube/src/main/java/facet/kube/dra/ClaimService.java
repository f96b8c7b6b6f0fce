package facet.kube.dra;

import facet.kubelet.dra.Claim;
import facet.kubelet.dra.DRAPluginGrpc;
import facet.kubelet.dra.NodePrepareResourceResponse;
import facet.kubelet.dra.NodePrepareResourcesRequest;
import facet.kubelet.dra.NodePrepareResourcesResponse;
import facet.kubelet.dra.NodeUnprepareResourceResponse;
import facet.kubelet.dra.NodeUnprepareResourcesRequest;
import facet.kubelet.dra.NodeUnprepareResourcesResponse;
import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/** What a kubelet asks of a driver. Both requests may come again, and do the same then. */
final class ClaimService extends DRAPluginGrpc.DRAPluginImplBase {
    private final PreparedClaims claims;
    private final Log log;

    ClaimService(PreparedClaims claims, Log log) {
        this.claims = claims;
        this.log = log;
    }

    @Override
    public void nodePrepareResources(
            NodePrepareResourcesRequest request,
            StreamObserver<NodePrepareResourcesResponse> observer) {
        NodePrepareResourcesResponse.Builder all = NodePrepareResourcesResponse.newBuilder();
        for (Claim each : request.getClaimsList()) {
            NodePrepareResourceResponse.Builder one = NodePrepareResourceResponse.newBuilder();
            try {
                one.addAllDevices(claims.prepare(each));
                log.info("dra", "prepared claim " + name(each));
            } catch (IOException | KubernetesClientException | ArithmeticException e) {
                log.warning("dra", "claim " + name(each) + ": " + e.getMessage());
                one.setError(String.valueOf(e.getMessage()));
            }
            all.putClaims(each.getUid(), one.build());
        }
        observer.onNext(all.build());
        observer.onCompleted();
    }

    @Override
    public void nodeUnprepareResources(
            NodeUnprepareResourcesRequest request,
            StreamObserver<NodeUnprepareResourcesResponse> observer) {
        NodeUnprepareResourcesResponse.Builder all = NodeUnprepareResourcesResponse.newBuilder();
        for (Claim each : request.getClaimsList()) {
            NodeUnprepareResourceResponse.Builder one = NodeUnprepareResourceResponse.newBuilder();
            try {
                claims.unprepare(each.getUid());
                log.info("dra", "gave back claim " + name(each));
            } catch (IOException e) {
                log.warning("dra", "claim " + name(each) + ": " + e.getMessage());
                one.setError(String.valueOf(e.getMessage()));
            }
            all.putClaims(each.getUid(), one.build());
        }
        observer.onNext(all.build());
        observer.onCompleted();
    }

    private static String name(Claim claim) {
        return claim.getNamespace() + "/" + claim.getName();
    }
}
