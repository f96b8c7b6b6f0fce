package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs for compute capability 9.0, on a device that has it. */
class ClustersTest {
    private static final List<String> PTX_ONLY =
            List.of("-gencode", "arch=compute_90,code=compute_90");

    private final Builder builder = new Builder();

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void programs(String isolation) throws IOException, InterruptedException {
        Tools.assumedNvcc();
        List<Program> programs = Program.all(Places.PROFILE_9, ".cu");
        assertFalse(programs.isEmpty());
        try (Daemon daemon = Daemon.start("2G", "--profile", "9.0", "--isolation", isolation)) {
            for (Program program : programs) {
                Path object = builder.object(program, PTX_ONLY);
                for (Form form : program.forms()) {
                    String name = program.name() + "." + form.word();
                    Path executable = builder.link(name, object, form, List.of());
                    new Slices(daemon).check(program, executable, form == Form.STATIC);
                }
            }
        }
    }
}
