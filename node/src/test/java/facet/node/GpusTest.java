package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Which devices a command line chooses. */
final class GpusTest {
    private static Gpus of(String... arguments) throws Options.Wrong {
        return Options.parse(arguments).gpus();
    }

    @Test
    void whoSaysNothingHasWhatIsThere() throws Options.Wrong {
        assertEquals(Gpus.Kind.AUTO, of().kind());
        assertEquals(Gpus.Kind.VENDOR, of("--gpu", "vendor").kind());
        assertEquals(Gpus.Kind.SOFTWARE, of("--gpu=software", "--memory", "1G").kind());
    }

    @Test
    void whoSaysWhatTheyAreLikeMeansSoftwareGpus() throws Options.Wrong {
        assertEquals(Gpus.Kind.SOFTWARE, of("--devices", "2").kind());
        assertEquals(Gpus.Kind.SOFTWARE, of("--profile", "9.0").kind());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertTold("--gpu is auto, software or vendor, not 'real'", "--gpu", "real");
        assertTold("--memory is for software GPUs", "--gpu", "vendor", "--memory", "1G");
        assertTold("--vendor-libraries is for", "--vendor-libraries", "/x", "--devices", "2");
    }

    private static void assertTold(String text, String... arguments) {
        Options.Wrong told = assertThrows(Options.Wrong.class, () -> of(arguments));
        assertTrue(String.valueOf(told.getMessage()).startsWith(text), told.getMessage());
    }

    @Test
    void librariesThatAreNotThereAreTold() throws Options.Wrong {
        Options options = Options.parse(new String[] {"--vendor-libraries", "/no/such/folder"});
        IOException told = assertThrows(IOException.class, () -> MainsByOptions.choose(options));
        assertTrue(
                String.valueOf(told.getMessage()).contains("/no/such/folder"), told.getMessage());
        Options software = Options.parse(new String[] {"--gpu", "software"});
        assertSame(Facetd.MAINS, assertChosen(software));
    }

    private static Mains assertChosen(Options options) {
        try {
            return MainsByOptions.choose(options);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
