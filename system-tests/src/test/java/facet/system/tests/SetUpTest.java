package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * packaging/set-up.bash on machines that lack things. Scripts stand in for apt-get, sudo and dpkg:
 * they write down what they were asked, and a package that is installed is a file.
 * packaging/scratch-debian tries it on a real machine.
 */
class SetUpTest {
    private static final String ALL = "openjdk-25-jdk-headless maven gcc libc6-dev";
    private static final String INSTALL =
            "apt-get -y --no-install-recommends -o DPkg::Lock::Timeout=300 install";
    private static final String UPDATE =
            "apt-get -y --no-install-recommends -o DPkg::Lock::Timeout=300 update";
    private static final String LINE =
            "apt-get update && apt-get install -y --no-install-recommends ";

    /** What the script uses of a system; there is no more on PATH. */
    private static final List<String> TOOLS =
            List.of(
                    "bash", "sh", "env", "true", "cat", "cut", "awk", "tr", "mkdir", "rm", "tail",
                    "touch");

    @TempDir private Path folder;

    private boolean terminal = true;
    private String answer = "";
    private String yes = "";
    private String kinds = "build";

    @BeforeEach
    void newMachine() throws IOException {
        for (String each : List.of("bin", "installed", "known", "state")) {
            Files.createDirectory(folder.resolve(each));
        }
        for (String each : TOOLS) {
            command(each, "exec " + Tools.onPath(each).orElseThrow() + " \"$@\"\n");
        }
        command(
                "apt-get",
                """
                echo "apt-get $*" >> asked
                while [ "${1#-}" != "$1" ]; do [ "$1" != -o ] || shift; shift; done
                case $1 in
                    update) touch known/base-files ;;
                    install)
                        shift
                        for package; do
                            case $package in -*) continue ;; esac
                            [ ! -e "refused-$package" ] || exit 100
                        done
                        for package; do
                            case $package in -*) continue ;; esac
                            touch "installed/$package"
                        done ;;
                esac
                """);
        command("apt-cache", "[ ! -e \"known/$2\" ] || echo \"$2 | 1.0 | here\"\n");
        command("dpkg-query", "[ ! -e \"installed/$4\" ] || printf installed\n");
        command("dpkg", "echo \"dpkg $*\" >> asked\n");
        know("base-files", "openjdk-25-jdk-headless");
        user(0);
        write(
                "machine",
                """
                set -euo pipefail
                say() { printf 'facet: %%s\\n' "$*" >&2; }
                state=state yes=$1 root=%1$s
                source '%1$s/packaging/machine.bash'
                source '%1$s/packaging/set-up.bash'
                has_jdk() { [ -e installed/openjdk-25-jdk-headless ] || [ -e installed/temurin-25-jdk ]; }
                has_maven() { [ -e installed/maven ]; }
                has_c_compiler() { [ -e installed/gcc ] && [ -e installed/libc6-dev ]; }
                has_cuda() { false; }
                has_way_to_cuda() { [ -e installed/python3-pip ]; }
                has_g++() { [ -e installed/g++ ]; }
                is_terminal() { [ "$terminal" = true ]; }
                terminal=$2
                read -ra kinds <<< "$3"
                set_up './facet demo' "${kinds[@]}"
                echo 'it goes on'
                """
                        .formatted(Places.ROOT));
    }

    @Test
    void nothingIsAskedWhereNothingIsMissing() throws IOException {
        installed("openjdk-25-jdk-headless", "maven", "gcc", "libc6-dev");
        assertGoesOn(setUp());
        assertAsked();
    }

    @Test
    void yesInstallsAsRoot() throws IOException {
        yes = "1";
        terminal = false;
        assertGoesOn(setUp());
        assertAsked(UPDATE, INSTALL + " --fix-broken " + ALL);
        assertFalse(Files.exists(folder.resolve("state/installing")), "it has ended");
    }

    @Test
    void onlyWhatIsMissingIsInstalled() throws IOException {
        installed("gcc", "libc6-dev");
        assertGoesOn(setUp());
        assertAsked(UPDATE, INSTALL + " --fix-broken openjdk-25-jdk-headless maven");
    }

    @Test
    void aUserInstallsBySudo() throws IOException {
        user(1000);
        sudo(":");
        Outcome outcome = setUp();
        assertGoesOn(outcome);
        assertTrue(
                outcome.errors()
                        .contains(
                                "    sudo apt-get update && sudo apt-get install -y"
                                        + " --no-install-recommends "
                                        + ALL
                                        + "\n"),
                outcome.report());
        String environment = "env DEBIAN_FRONTEND=noninteractive ";
        assertAsked(
                "sudo env true",
                "sudo " + environment + UPDATE,
                UPDATE,
                "sudo " + environment + INSTALL + " --fix-broken " + ALL,
                INSTALL + " --fix-broken " + ALL);
    }

    @Test
    void sudoDoesNotWaitForAPasswordThatNobodyTypes() throws IOException {
        user(1000);
        sudo("echo 'sudo: a password is required' >&2; exit 1");
        yes = "1";
        terminal = false;
        Outcome outcome = setUp();
        assertStops(outcome, "sudo: a password is required", ALL);
        assertAsked("sudo --non-interactive env true");
    }

    @Test
    void noInstallsNothingAndSaysWhatToType() throws IOException {
        answer = "perhaps\nn";
        assertStops(setUp(), "    " + LINE + ALL + "\n", "type ./facet demo again");
        assertAsked();
    }

    @Test
    void withoutATerminalTheLineIsPrinted() throws IOException {
        terminal = false;
        assertStops(setUp(), "    " + LINE + ALL + "\n", "./facet demo --yes");
        assertAsked();
    }

    @Test
    void withoutRootAndSudoTheLineIsPrinted() throws IOException {
        user(1000);
        yes = "1";
        assertStops(setUp(), "    " + LINE + ALL + "\n", "whoever is root");
        assertAsked();
    }

    @Test
    void withoutAptTheNeedsArePrinted() throws IOException {
        Files.delete(folder.resolve("bin/apt-get"));
        yes = "1";
        assertStops(setUp(), "JDK 25", "Maven", "a C compiler", "tar xz -C ~/.jdks");
        command("dnf", "exit 1\n");
        assertStops(
                setUp(), "    dnf install java-25-openjdk-devel maven gcc glibc-devel\n", "JDK 25");
        assertAsked();
    }

    @Test
    void whereTheSystemHasNoSuchJdkTemurinIsNamed() throws IOException {
        Files.delete(folder.resolve("known/openjdk-25-jdk-headless"));
        yes = "1";
        assertStops(
                setUp(),
                "no JDK 25 or newer was found",
                "tar xz -C ~/.jdks\n",
                LINE + "maven gcc libc6-dev curl ca-certificates\n");
        assertAsked();
    }

    /** A new machine does not know its packages yet. */
    @Test
    void temurinIsNamedAlsoWhenThatIsLearntLate() throws IOException {
        Files.delete(folder.resolve("known/openjdk-25-jdk-headless"));
        Files.delete(folder.resolve("known/base-files"));
        assertStops(setUp(), "no JDK 25 or newer was found", "tar xz -C ~/.jdks\n");
        assertAsked(UPDATE);
    }

    @Test
    void temurinIsTakenWhereTheSystemHasThat() throws IOException {
        Files.delete(folder.resolve("known/openjdk-25-jdk-headless"));
        know("temurin-25-jdk");
        assertGoesOn(setUp());
        assertAsked(UPDATE, INSTALL + " --fix-broken temurin-25-jdk maven gcc libc6-dev");
    }

    @Test
    void anInstallationThatWasEndedIsFinished() throws IOException {
        installed("maven", "gcc", "libc6-dev");
        write("state/installing", "openjdk-25-jdk-headless ca-certificates\n");
        Outcome outcome = setUp();
        assertGoesOn(outcome);
        String packages = "openjdk-25-jdk-headless ca-certificates";
        assertTrue(
                outcome.errors().contains("    dpkg --configure -a; " + LINE + packages + "\n"),
                outcome.report());
        assertAsked("dpkg --configure -a", UPDATE, INSTALL + " --fix-broken " + packages);
        assertFalse(Files.exists(folder.resolve("state/installing")), "it has ended");
    }

    @Test
    void anInstallationThatSomebodyElseHasFinishedIsDone() throws IOException {
        installed("openjdk-25-jdk-headless", "maven", "gcc", "libc6-dev");
        write("state/installing", ALL + "\n");
        assertGoesOn(setUp());
        assertAsked();
    }

    @Test
    void whatOnlySomeTestsNeedMayStayAway() throws IOException {
        installed("openjdk-25-jdk-headless", "maven", "gcc", "libc6-dev");
        kinds = "build test";
        answer = "no";
        Outcome refused = setUp();
        assertGoesOn(refused);
        assertTrue(refused.errors().contains("going on without"), refused.report());
        assertAsked();
    }

    @Test
    void aPackageThatCannotBeHadDoesNotKeepTheOthersAway() throws IOException {
        kinds = "build test";
        write("refused-python3-pip", "");
        Outcome outcome = setUp();
        assertGoesOn(outcome);
        assertTrue(
                outcome.errors().contains("python3-pip could not be installed"), outcome.report());
        assertTrue(Files.exists(folder.resolve("installed/g++")), outcome.report());
    }

    @Test
    void withoutWhatTheBuildNeedsItStops() throws IOException {
        write("refused-maven", "");
        assertStops(setUp(), "maven could not be installed", LINE + "maven\n");
    }

    private Outcome setUp() {
        return Runner.run(
                List.of(
                        "bash",
                        "-c",
                        "exec bash ./machine \"$@\" <<< \"$answer\"",
                        "bash",
                        yes,
                        String.valueOf(terminal),
                        kinds),
                folder,
                Map.of("PATH", folder.resolve("bin").toString(), "answer", answer));
    }

    private static void assertGoesOn(Outcome outcome) {
        assertEquals(0, outcome.status(), outcome.report());
        assertEquals("it goes on\n", outcome.output(), outcome.report());
    }

    private static void assertStops(Outcome outcome, String... said) {
        assertEquals(1, outcome.status(), outcome.report());
        for (String each : said) {
            assertTrue(outcome.errors().contains(each), each + " is not in\n" + outcome.report());
        }
    }

    private void assertAsked(String... commands) throws IOException {
        Path asked = folder.resolve("asked");
        assertEquals(
                List.of(commands), Files.exists(asked) ? Files.readAllLines(asked) : List.of());
    }

    private void user(int number) throws IOException {
        command("id", "echo " + number + "\n");
    }

    private void sudo(String first) throws IOException {
        command("sudo", "echo \"sudo $*\" >> asked\n" + first + "\nexec \"$@\"\n");
    }

    private void know(String... packages) throws IOException {
        for (String each : packages) {
            Files.createFile(folder.resolve("known").resolve(each));
        }
    }

    private void installed(String... packages) throws IOException {
        for (String each : packages) {
            Files.createFile(folder.resolve("installed").resolve(each));
        }
    }

    private void command(String name, String script) throws IOException {
        Path file = write("bin/" + name, "#!" + Tools.onPath("sh").orElseThrow() + "\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
