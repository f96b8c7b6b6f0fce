package facet.system.tests;

import java.io.IOException;
import java.util.List;
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
     * Those that have passed; -Dprograms=all tries all of them, -Dprograms=scan,streams these.
     * docs/vendor.md says what is different from the software GPU.
     */
    private static final String PASSED =
            "attributes,closed_streams,entry_points,graphs,kept_errno,last_bytes,launch,library,"
                    + "managed_ranges,memory,modules,old_calls,pools,portable_memory,primary_context,"
                    + "printing,pinned_pages,streams,vector_add,visible_devices,atomics";

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
        return new ChosenPrograms(PASSED, compilers, new Slices(upper)::check);
    }
}
