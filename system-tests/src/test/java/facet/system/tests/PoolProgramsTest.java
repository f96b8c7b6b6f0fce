package facet.system.tests;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs on a node without a device say what they say on one that has it. */
@SuppressWarnings("NullAway.Init") // JUnit fills in the parameters, and begins before all tests
@ParameterizedClass(name = "isolation {0}, a cut every {1} ms")
@CsvSource({"shared,0", "process,200"})
class PoolProgramsTest {
    /** Some of each kind; -Dprograms=all runs all of them. */
    private static final List<String> SOME =
            List.of(
                    ("copies,device_printf,events,graphs,host_functions,large_copy,managed_memory,memory,"
                                    + "modules,out_of_memory,pinned_memory,scan,sticky_illegal_address,"
                                    + "streams,symbols,textures,threads")
                            .split(","));

    private static TestPool pool;
    private static ExecutorService compilers;

    private final Builder builder = new Builder();

    @Parameter(0)
    String isolation;

    @Parameter(1)
    int cuts;

    @BeforeParameterizedClassInvocation
    static void start(String isolation, int cuts) throws IOException, InterruptedException {
        pool = TestPool.start(cuts, "--isolation", isolation);
        compilers = Executors.newFixedThreadPool(2);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        compilers.shutdownNow();
        pool.close();
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
        return new ChosenPrograms(SOME::contains, compilers, new Slices(pool.near())::check);
    }
}
