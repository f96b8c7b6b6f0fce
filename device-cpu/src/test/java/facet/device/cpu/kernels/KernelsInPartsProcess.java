package facet.device.cpu.kernels;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The tests of this package in a process of their own, with {@code -Dfacet.parts}. Those about
 * faults are left out: they want lines of the text as it was, and blocks of the whole launch.
 */
final class KernelsInPartsProcess {
    private static final int AT_LEAST = 400;

    private KernelsInPartsProcess() {}

    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectPackage(KernelRunner.class.getPackageName()))
                        .filters(
                                includeClassNamePatterns(".*Test"),
                                excludeClassNamePatterns(
                                        ".*\\.(FaultsTest|AssertionsTest|KernelsInPartsTest)"))
                        .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 20);
        System.out.println(summary.getTestsSucceededCount() + " tests passed");
        boolean good =
                summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() >= AT_LEAST;
        System.exit(good ? 0 : 1);
    }
}
