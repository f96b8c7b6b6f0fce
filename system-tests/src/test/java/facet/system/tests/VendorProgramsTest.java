package facet.system.tests;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs on a vendor's driver. The driver is Facet's own on the software GPU of a second daemon:
 * what passes here calls a driver as its interface says.
 */
@SuppressWarnings("NullAway.Init") // JUnit begins before all tests
class VendorProgramsTest {
    /**
     * Those that want what a driver does otherwise, and what that is; docs/vendor.md has it too.
     */
    private static final Map<String, String> OTHERWISE =
            Map.of(
                    "out_of_bounds", "memory comes in granules of 2 MiB, and ends with them",
                    "sticky", "a fault is one of all contexts of the slice",
                    "sticky_misaligned",
                            "who begins before the faulty one has gone shares its fault",
                    "sticky_texture", "after a fault a program has to begin anew",
                    "exact_memory", "a kernel that calls malloc is refused where there is no heap",
                    "link", "it is the driver that refuses what is not linked");

    private static Daemon lower;
    private static Daemon upper;
    private static ExecutorService compilers;

    private final Builder builder = new Builder();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        lower = Daemon.start("4G");
        upper = Daemon.startOnVendor(lower.socket().toRealPath());
        compilers = Executors.newFixedThreadPool(2);
    }

    @AfterAll
    static void stop() throws IOException {
        compilers.shutdownNow();
        upper.close();
        lower.close();
    }

    @TestFactory
    List<DynamicNode> cuda() {
        return programs().cuda(builder);
    }

    @TestFactory
    List<DynamicNode> driver() {
        return programs().driver(builder);
    }

    private static ChosenPrograms programs() {
        return new ChosenPrograms(
                name -> !OTHERWISE.containsKey(name), compilers, new Slices(upper)::check);
    }
}
