package facet.ptx.rewrite;

import facet.ptx.Extent;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Position;
import facet.ptx.Space;
import facet.ptx.Variable;
import facet.ptx.flow.Body;
import facet.ptx.flow.Flatten;
import facet.ptx.rewrite.Facts.Obstacle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which kernels are rewritten, and how their barriers are. */
final class Plan {
    /** Bytes of parameters that a kernel may have on any device, and on newer ones. */
    private static final long PARAMETERS = 4096;

    private static final long MORE_PARAMETERS = 32_764;

    /** Before, texts had no calls as they are today, and no addresses of 64 bits. */
    private static final int LEAST_VERSION = 23;

    private static final int LEAST_TARGET = 20;

    /** From here on threads of a warp may wait at different places. */
    private static final int THREADS_WAIT_APART = 70;

    final Module module;
    final Scan scan;
    final BlockForm form;
    final Reach reach;
    final Barriers barriers;

    final List<Rewritten.Kernel> kernels = new ArrayList<>();
    final List<Refusal> refusals = new ArrayList<>();

    /** Kernels in which threads that have ended take part in the barriers of the others. */
    final Set<String> joining = new HashSet<>();

    /** Whether all bodies have such barriers, since functions have some. */
    boolean joiningEverywhere;

    private final Set<String> chosen = new HashSet<>();
    private final @Nullable Obstacle ofPointers;
    private final boolean anyCombines;

    private Plan(Module module, BlockForm form) {
        this.module = module;
        this.form = form;
        scan = Scan.of(module);
        barriers = Barriers.of(scan);
        int hidden = form == BlockForm.PERSISTENT ? Hidden.ALL : Hidden.ALL & ~Hidden.ENDED.bit();
        reach = Reach.of(scan, hidden);
        ofPointers = ofPointers();
        anyCombines = scan.bodies.values().stream().anyMatch(Barriers::combines);
    }

    static Plan of(Module module, BlockForm form, Predicate<String> wanted) {
        Plan plan = new Plan(module, form);
        for (Facts body : plan.scan.bodies.values()) {
            if (body.function.kernel() && wanted.test(body.function.name())) {
                plan.consider(body);
            }
        }
        return plan;
    }

    Role role(Function function) {
        if (!function.kernel()) {
            return Role.FUNCTION;
        }
        if (!chosen.contains(function.name())) {
            return Role.WHOLE;
        }
        return form == BlockForm.RANGES ? Role.RANGES : Role.PERSISTENT;
    }

    private void consider(Facts body) {
        Function kernel = body.function;
        Obstacle obstacle = reach.obstacle(kernel.name(), form);
        if (obstacle == null) {
            obstacle = ofPointers;
        }
        if (obstacle == null) {
            obstacle = ofKernel(kernel);
        }
        if (obstacle == null && form == BlockForm.PERSISTENT) {
            obstacle = ofMeetings(body);
        }
        if (obstacle != null) {
            refusals.add(new Refusal(kernel.name(), obstacle.position(), obstacle.cause()));
            return;
        }
        chosen.add(kernel.name());
        kernels.add(
                new Rewritten.Kernel(
                        kernel.name(), form, (int) hiddenOffset(kernel), HiddenArguments.BYTES));
    }

    /** Pointers to functions that cannot be given more. */
    private @Nullable Obstacle ofPointers() {
        if (reach.pointerValues() == 0) {
            return null;
        }
        for (String each : scan.addresses) {
            Function function = scan.function(each);
            if (function == null || function.kernel()) {
                continue;
            }
            if (function.body() == null) {
                return new Obstacle(
                        function.position(),
                        "the address of "
                                + each
                                + " is taken, which this text does not define: called through a"
                                + " pointer it would not know what it is given");
            }
            if (inRegisters(function)) {
                return new Obstacle(
                        function.position(),
                        "the address of " + each + " is taken, whose parameters are registers");
            }
        }
        return null;
    }

    private @Nullable Obstacle ofKernel(Function kernel) {
        if (module.version() < LEAST_VERSION || architecture() < LEAST_TARGET) {
            return new Obstacle(
                    kernel.position(),
                    "the text is for the first devices; .version 2.3 and .target sm_20 are the"
                            + " least");
        }
        if (scan.addresses.contains(kernel.name())) {
            return new Obstacle(
                    kernel.position(), "its address is taken: another kernel may launch it");
        }
        long most =
                module.version() >= 81 && architecture() >= THREADS_WAIT_APART
                        ? MORE_PARAMETERS
                        : PARAMETERS;
        long bytes = Extent.sum(hiddenOffset(kernel), HiddenArguments.BYTES);
        return bytes <= most
                ? null
                : new Obstacle(
                        kernel.position(),
                        "with one more its parameters would have more than " + most + " bytes");
    }

    private @Nullable Obstacle ofMeetings(Facts body) {
        Function kernel = body.function;
        Position position = kernel.position();
        if (barriers.number < 0) {
            return new Obstacle(position, "all 16 barrier numbers are in use");
        }
        int facts = reach.facts(kernel.name());
        if ((facts & (Hidden.WARPS | Hidden.BARRIERS)) == 0) {
            return null;
        }
        Body flat = Flatten.flatten(kernel);
        if ((facts & Hidden.WARPS) != 0 && !Evenness.of(flat, Hidden.WARPS, scan, reach)) {
            return new Obstacle(
                    position,
                    "a thread may end before others of its warp exchange values, and they would"
                            + " wait for it; the form ranges can do it");
        }
        boolean inFunctions = (reach.calledFacts(body) & Hidden.BARRIERS) != 0;
        if ((facts & Hidden.BARRIERS) == 0
                || !inFunctions && Evenness.of(flat, Hidden.BARRIERS, scan, reach)) {
            return null;
        }
        if (!canWaitApart()) {
            return new Obstacle(
                    position,
                    "a thread may end before others are at a barrier; that takes .target sm_"
                            + THREADS_WAIT_APART
                            + " or newer");
        }
        if (inFunctions && !barriers.clean) {
            return new Obstacle(
                    position,
                    "calls a function with a barrier, in a module that counts threads at barriers"
                            + " in ways that cannot be told apart from it");
        }
        joiningEverywhere |= inFunctions;
        joining.add(kernel.name());
        return null;
    }

    /** Whether threads of a warp may wait at different places. */
    boolean canWaitApart() {
        return architecture() >= THREADS_WAIT_APART;
    }

    /** 75 of {@code sm_75}; 0 for what has no number. */
    int architecture() {
        int found = 0;
        for (char each : module.targets().getFirst().toCharArray()) {
            if (each >= '0' && each <= '9' && found < 1000) {
                found = found * 10 + (each - '0');
            }
        }
        return found;
    }

    /** Whether threads that have ended take part in the barriers of the body. */
    boolean joins(Facts body) {
        return joiningEverywhere || joining.contains(body.function.name());
    }

    /** Whether such barriers also combine predicates, there or wherever others meet. */
    boolean combines(Facts body) {
        return joiningEverywhere ? anyCombines : Barriers.combines(body);
    }

    /** Where the parameter behind the last one lies. */
    private static long hiddenOffset(Function kernel) {
        long end = 0;
        for (Variable each : kernel.parameters()) {
            end = Extent.append(end, Math.max(1, each.effectiveAlignment()), each.bytes());
        }
        return Extent.align(end, Frames.HIDDEN_ALIGNMENT);
    }

    /** As functions of old texts have them. */
    static boolean inRegisters(Function function) {
        return function.parameters().stream().anyMatch(each -> each.space() == Space.REG)
                || function.results().stream().anyMatch(each -> each.space() == Space.REG);
    }
}
