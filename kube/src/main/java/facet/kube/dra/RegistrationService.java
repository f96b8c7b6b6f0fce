package facet.kube.dra;

import facet.kubelet.registration.InfoRequest;
import facet.kubelet.registration.PluginInfo;
import facet.kubelet.registration.RegistrationGrpc;
import facet.kubelet.registration.RegistrationStatus;
import facet.kubelet.registration.RegistrationStatusResponse;
import facet.log.Log;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;

/** Says who serves where. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {
    private static final String TYPE = "DRAPlugin";
    private static final String VERSION = "v1.DRAPlugin";

    private final String driver;
    private final Path endpoint;
    private final Log log;

    RegistrationService(String driver, Path endpoint, Log log) {
        this.driver = driver;
        this.endpoint = endpoint;
        this.log = log;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
        observer.onNext(
                PluginInfo.newBuilder()
                        .setType(TYPE)
                        .setName(driver)
                        .setEndpoint(endpoint.toString())
                        .addSupportedVersions(VERSION)
                        .build());
        observer.onCompleted();
    }

    @Override
    public void notifyRegistrationStatus(
            RegistrationStatus request, StreamObserver<RegistrationStatusResponse> observer) {
        if (request.getPluginRegistered()) {
            log.info("dra", "registered " + driver + " with the kubelet");
        } else {
            log.error("dra", "the kubelet refuses " + driver + ": " + request.getError());
        }
        observer.onNext(RegistrationStatusResponse.getDefaultInstance());
        observer.onCompleted();
    }
}
