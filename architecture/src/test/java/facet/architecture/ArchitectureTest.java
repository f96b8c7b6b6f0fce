package facet.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import org.junit.jupiter.api.Test;

/** Who may know whom, and where danger may live. ARCHITECTURE.md draws the same. */
final class ArchitectureTest {
    private static final JavaClasses FACET =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("facet");

    private static final DescribedPredicate<JavaClass> ANY_OF_FACET = resideInAnyPackage("facet..");

    private static final DescribedPredicate<JavaClass> DANGEROUS_PLACE =
            DescribedPredicate.describe(
                    "named *Unsafe or in a package foreign",
                    each ->
                            outermost(each).getSimpleName().endsWith("Unsafe")
                                    || each.getPackageName().endsWith(".foreign")
                                    || each.getPackageName().contains(".foreign."));

    private static JavaClass outermost(JavaClass nested) {
        return nested.getEnclosingClass().map(ArchitectureTest::outermost).orElse(nested);
    }

    /** Classes in {@code packages} know, of Facet, only themselves and {@code allowed}. */
    private static ArchRule knowOnly(String packages, String... allowed) {
        String[] all = java.util.Arrays.copyOf(allowed, allowed.length + 1);
        all[allowed.length] = packages;
        return noClasses()
                .that()
                .resideInAPackage(packages)
                .should()
                .dependOnClassesThat(
                        ANY_OF_FACET.and(DescribedPredicate.not(resideInAnyPackage(all))))
                .as(packages + " knows only " + String.join(", ", allowed));
    }

    @Test
    void allModulesAreSeen() {
        for (String each :
                new String[] {
                    "facet.ptx",
                    "facet.jit",
                    "facet.os",
                    "facet.sched",
                    "facet.place",
                    "facet.sim",
                    "facet.device",
                    "facet.device.cpu",
                    "facet.device.nvidia",
                    "facet.pool.link",
                    "facet.kube",
                    "facet.certificates",
                    "facet.kubelet.dra",
                    "facet.cli"
                }) {
            assertTrue(FACET.containPackage(each), each + " is not on the class path of this test");
        }
        assertFalse(FACET.isEmpty());
    }

    @Test
    void abiOsSchedAndPlaceKnowNobody() {
        knowOnly("facet.abi..").check(FACET);
        knowOnly("facet.os..").check(FACET);
        knowOnly("facet.sched..").check(FACET);
        knowOnly("facet.place..").check(FACET);
    }

    @Test
    void ringKnowsAbiAndOs() {
        knowOnly("facet.ring..", "facet.abi..", "facet.os..").check(FACET);
    }

    @Test
    void logAndCertificatesKnowNobody() {
        knowOnly("facet.log..").check(FACET);
        knowOnly("facet.certificates..").check(FACET);
    }

    @Test
    void slicesKnowTheirTerms() {
        knowOnly("facet.slices..", "facet.sched..").check(FACET);
    }

    /** Whichever device it is, and whichever process: a worker's, or the daemon's. */
    @Test
    void hostsKnowRingsAndThePortOfDevices() {
        knowOnly(
                        "facet.host..",
                        "facet.abi..",
                        "facet.os..",
                        "facet.ring..",
                        "facet.sched..",
                        "facet.device",
                        "facet.ptx..",
                        "facet.log..",
                        "facet.slices..")
                .check(FACET);
    }

    /** What travels between nodes: commands and their answers, whoever executes them. */
    @Test
    void poolKnowsRingsAndCommands() {
        knowOnly(
                        "facet.pool..",
                        "facet.abi..",
                        "facet.os..",
                        "facet.ring..",
                        "facet.log..",
                        "facet.certificates..")
                .check(FACET);
    }

    /** They ask by interfaces of their own; the daemon answers. */
    @Test
    void doorsKnowNeitherHostsNorDevices() {
        knowOnly("facet.doors..", "facet.os..", "facet.sched..", "facet.log..", "facet.slices..")
                .check(FACET);
    }

    @Test
    void nobodyKnowsTheDaemon() {
        noClasses()
                .that(DescribedPredicate.not(resideInAnyPackage("facet.node..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("facet.node..")
                .check(FACET);
    }

    @Test
    void theDaemonKnowsAllRooms() {
        knowOnly(
                        "facet.node..",
                        "facet.abi..",
                        "facet.os..",
                        "facet.ring..",
                        "facet.sched..",
                        "facet.place..",
                        "facet.device",
                        "facet.device.cpu",
                        "facet.device.nvidia",
                        "facet.log..",
                        "facet.slices..",
                        "facet.host..",
                        "facet.pool..",
                        "facet.doors..")
                .check(FACET);
    }

    @Test
    void onlyMainsOfTheDaemonKnowWhichDevicesThereAre() {
        noClasses()
                .that()
                .resideInAPackage("facet.node..")
                .and()
                .haveNameNotMatching(
                        "facet\\.node\\.(Facetd|MainsByOptions|VendorFiles|worker\\.(Vendor)?WorkerMain)")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("facet.device.cpu", "facet.device.nvidia..")
                .check(FACET);
    }

    /**
     * What reads a stranger's program is where sessions are hosted, which with isolation process is
     * no part of the daemon.
     */
    @Test
    void onlyHostsOfSessionsReadPrograms() {
        noClasses()
                .that(
                        DescribedPredicate.not(
                                resideInAnyPackage("facet.host.session", "facet.host.image")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("facet.host.image")
                .check(FACET);
        noClasses()
                .that()
                .resideOutsideOfPackage("facet.host.session")
                .and()
                .haveNameNotMatching(
                        "facet\\.node\\.(server\\.InDaemon|worker\\.(WorkerSlice|WarmSession|Used))(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("facet.host.session.SessionHost")
                .check(FACET);
    }

    @Test
    void ptxKnowsNobody() {
        knowOnly("facet.ptx..").check(FACET);
    }

    @Test
    void jitKnowsPtx() {
        knowOnly("facet.jit..", "facet.ptx..").check(FACET);
    }

    @Test
    void deviceKnowsNobody() {
        knowOnly("facet.device").check(FACET);
    }

    @Test
    void softwareGpuKnowsDeviceJitPtxAndOs() {
        knowOnly("facet.device.cpu..", "facet.device", "facet.jit..", "facet.ptx..", "facet.os")
                .check(FACET);
    }

    @Test
    void vendorsDevicesKnowDeviceAndPtx() {
        knowOnly("facet.device.nvidia..", "facet.device", "facet.ptx..").check(FACET);
    }

    @Test
    void simulatorKnowsPlacingAndSharing() {
        knowOnly("facet.sim..", "facet.place..", "facet.sched..").check(FACET);
    }

    /** The daemon it asks over its socket; what it does by itself is pure. */
    @Test
    void commandLineKnowsPtxAndTheSimulator() {
        knowOnly("facet.cli..", "facet.ptx..", "facet.sim..", "facet.place..").check(FACET);
    }

    /** The dashboard speaks to the daemon over HTTP, and is files alone. */
    @Test
    void dashboardHasNoClasses() {
        assertFalse(FACET.containPackage("facet.web"));
        assertNotNull(
                ArchitectureTest.class.getResource("/facet/web/files.table"),
                "module web is not on the class path of this test");
    }

    /** Kubernetes asks daemons through their doors, as anybody does. */
    @Test
    void kubeKnowsWhatIsPlacedAndWhatASliceIs() {
        knowOnly("facet.kubelet..").check(FACET);
        knowOnly(
                        "facet.kube..",
                        "facet.kubelet..",
                        "facet.place..",
                        "facet.sched..",
                        "facet.slices..",
                        "facet.log..",
                        "facet.certificates..",
                        "facet.os..")
                .check(FACET);
    }

    @Test
    void modulesHaveNoCycles() {
        slices().matching("facet.(*)..").namingSlices("$1").should().beFreeOfCycles().check(FACET);
    }

    @Test
    void rawMemoryHasAnAddress() {
        noClasses()
                .that(DescribedPredicate.not(DANGEROUS_PLACE))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("jdk.internal.misc.Unsafe")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("sun.misc.Unsafe")
                .check(FACET);
    }

    @Test
    void downcallsHaveAnAddress() {
        noClasses()
                .that(DescribedPredicate.not(DANGEROUS_PLACE))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Linker.class, FunctionDescriptor.class, SymbolLookup.class)
                .orShould()
                .callMethodWhere(
                        DescribedPredicate.describe(
                                "MemorySegment.reinterpret is called",
                                call ->
                                        call.getTarget().getName().equals("reinterpret")
                                                && call.getTargetOwner()
                                                        .getName()
                                                        .equals("java.lang.foreign.MemorySegment")))
                .check(FACET);
    }
}
