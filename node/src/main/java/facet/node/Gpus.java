package facet.node;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which devices a daemon has.
 *
 * @param libraries where the vendor's are; empty: where the system's loader finds them
 * @param root below which dev and proc/driver/nvidia are
 * @param environment what these are told, NAME=VALUE,NAME=VALUE
 */
record Gpus(Kind kind, Optional<Path> libraries, Path root, String environment) {
    /** The word behind {@code --gpu}. */
    enum Kind {
        AUTO,
        SOFTWARE,
        VENDOR
    }

    /** What the command line says of them. */
    static final class Given {
        private String kind = "";
        private Optional<Path> libraries = Optional.empty();
        private Path root = Path.of("/");
        private String environment = "";
        private @Nullable String shaped;

        void kind(String word) {
            kind = word;
        }

        void libraries(Path folder) {
            libraries = Optional.of(folder);
        }

        void root(Path folder) {
            root = folder;
        }

        void environment(String pairs) {
            environment = pairs;
        }

        /** An option that says what software GPUs are to be like. */
        void shape(String option) {
            shaped = option;
        }

        /**
         * @throws IllegalArgumentException when it makes no sense
         */
        Gpus gpus() {
            Kind wanted =
                    switch (kind) {
                        // Who says what the devices are to be like means those that can be so.
                        case "" -> shaped == null ? Kind.AUTO : Kind.SOFTWARE;
                        case "auto" -> Kind.AUTO;
                        case "software" -> Kind.SOFTWARE;
                        case "vendor" -> Kind.VENDOR;
                        default ->
                                throw new IllegalArgumentException(
                                        "--gpu is auto, software or vendor, not '" + kind + "'");
                    };
            if (shaped != null && wanted != Kind.SOFTWARE) {
                throw new IllegalArgumentException(
                        shaped + " is for software GPUs; leave it out, or say --gpu software");
            }
            if (wanted == Kind.SOFTWARE && libraries.isPresent()) {
                throw new IllegalArgumentException(
                        "--vendor-libraries is for a vendor's GPUs"
                                + (shaped == null ? "" : "; leave out " + shaped));
            }
            return new Gpus(wanted, libraries, root, environment);
        }
    }
}
