package facet.kube.plugin;

import facet.kube.node.NodeDevice;
import facet.kubelet.deviceplugin.AllocateRequest;
import facet.kubelet.deviceplugin.AllocateResponse;
import facet.kubelet.deviceplugin.CDIDevice;
import facet.kubelet.deviceplugin.ContainerAllocateResponse;
import facet.kubelet.deviceplugin.Device;
import facet.kubelet.deviceplugin.DevicePluginGrpc;
import facet.kubelet.deviceplugin.DevicePluginOptions;
import facet.kubelet.deviceplugin.Empty;
import facet.kubelet.deviceplugin.ListAndWatchResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/** What a kubelet asks of a plugin. */
final class DeviceService extends DevicePluginGrpc.DevicePluginImplBase {
    private final Resource resource;
    private final List<StreamObserver<ListAndWatchResponse>> watchers = new ArrayList<>();
    private ListAndWatchResponse last = ListAndWatchResponse.getDefaultInstance();

    DeviceService(Resource resource) {
        this.resource = resource;
    }

    synchronized void tell(List<NodeDevice> devices) {
        ListAndWatchResponse.Builder all = ListAndWatchResponse.newBuilder();
        for (NodeDevice each : devices) {
            for (int i = 0; i < resource.of(each); i++) {
                all.addDevices(
                        Device.newBuilder()
                                .setID(each.index() + "-" + i)
                                .setHealth(each.healthy() ? "Healthy" : "Unhealthy"));
            }
        }
        ListAndWatchResponse next = all.build();
        if (!next.equals(last)) {
            last = next;
            watchers.forEach(each -> each.onNext(next));
        }
    }

    @Override
    public void getDevicePluginOptions(
            Empty request, StreamObserver<DevicePluginOptions> observer) {
        observer.onNext(DevicePluginOptions.getDefaultInstance());
        observer.onCompleted();
    }

    @Override
    public synchronized void listAndWatch(
            Empty request, StreamObserver<ListAndWatchResponse> observer) {
        ((ServerCallStreamObserver<ListAndWatchResponse>) observer)
                .setOnCancelHandler(() -> forget(observer));
        watchers.add(observer);
        observer.onNext(last);
    }

    private synchronized void forget(StreamObserver<ListAndWatchResponse> observer) {
        watchers.remove(observer);
    }

    /** The same for everybody: the ids say nothing about who gets them. */
    @Override
    public void allocate(AllocateRequest request, StreamObserver<AllocateResponse> observer) {
        ContainerAllocateResponse mark =
                ContainerAllocateResponse.newBuilder()
                        .putEnvs(PodCdi.MARK, PodCdi.MARKED)
                        .addCdiDevices(CDIDevice.newBuilder().setName(PodCdi.DEVICE))
                        .build();
        AllocateResponse.Builder all = AllocateResponse.newBuilder();
        request.getContainerRequestsList().forEach(_ -> all.addContainerResponses(mark));
        observer.onNext(all.build());
        observer.onCompleted();
    }
}
