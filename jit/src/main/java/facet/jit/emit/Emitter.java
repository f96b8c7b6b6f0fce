package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.pass.Effects;
import facet.jit.pass.Neighbours;
import facet.jit.pass.Regions;
import facet.jit.pass.Regions.Region;
import facet.jit.pass.Sections;
import facet.jit.pass.Synchronization;
import facet.jit.runtime.KernelCode;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.Lanes;
import facet.jit.runtime.Site;
import facet.jit.runtime.Windows;
import facet.ptx.Function;
import facet.ptx.PtxException;
import facet.ptx.flow.Body;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Writes the class of one kernel: a method for each region and function, and their dispatchers. */
public final class Emitter {
    /** A hidden class may name itself so. */
    static final ClassDesc SELF = ClassDesc.of("facet.jit.emit.GeneratedKernel");

    /** The JVM compiles no method beyond this many bytecodes. */
    public static final int METHOD_LIMIT = 8_000;

    private static final String ROWS = "v";

    /** Ways out of vector code after a store; each makes scalar code longer. */
    private static final int MOST_PARTINGS = 8;

    /** Instructions of a kernel that vector code is made for; longer ones seldom gain. */
    private static final int MOST_IN_ROWS = 50_000;

    static final MethodTypeDesc REGION = MethodTypeDesc.of(CD_void, Unit.BLOCK, CD_int, CD_int);
    private static final ClassDesc FAULT = ClassDesc.of(KernelFault.class.getName());
    private static final int STATIC = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC;

    private Emitter() {}

    /**
     * Code and what a block needs to run it.
     *
     * @param sites where threads meet
     * @param frame bytes of local memory without what called functions need
     * @param spins whether a thread may wait for another in a loop
     * @param inStep whether lanes of a warp keep step where no instruction makes them meet
     * @param storing regions that may change memory
     * @param longest bytecodes of the longest region
     * @param lanes threads of a row; 1 when one is run at a time
     * @param layout of each region where it is entered, and its pieces
     */
    public record Emitted(
            KernelCode code,
            List<Site> sites,
            int regions,
            int intSlots,
            int longSlots,
            int frame,
            boolean spins,
            boolean inStep,
            BitSet storing,
            int longest,
            int lanes,
            List<List<Integer>> layout) {
        /**
         * Whether code of the same body that takes one thread at a time has the same regions: then
         * it also has the same places for registers and meets at the same sites, and does for a
         * block of this code what its own scalar code does.
         */
        public boolean hasRegionsOf(Emitted scalar) {
            return layout.equals(scalar.layout);
        }
    }

    /** One thread at a time. */
    public static Emitted emit(Program program, Body body, List<Region> regions) {
        return emit(new KernelPlan(program, body, regions), Set.of(), new BitSet(), 1);
    }

    /** A row of threads at a time where they go the same way; empty when that does not pay. */
    public static Optional<Emitted> emitRows(Program program, Body body) {
        return emitRows(program, body, Lanes.COUNT);
    }

    /**
     * @param fitting threads of a row, or the most that it may have where that is more than {@link
     *     Lanes#WIDE}
     */
    public static Optional<Emitted> emitRows(Program program, Body body, int fitting) {
        if (body.instructions().size() > MOST_IN_ROWS) {
            return Optional.empty();
        }
        Sections sections = Sections.of(body);
        Vectorization ways = new Vectorization(body, sections);
        BitSet effects = Effects.before(body);
        BitSet partings = ways.partings(effects);
        if (!ways.isWorthwhile(Lanes.COUNT) || partings.cardinality() > MOST_PARTINGS) {
            return Optional.empty();
        }
        int lanes = new LongRows(body, sections, ways).lanes(fitting);
        List<Region> regions = Regions.split(body, Regions.DEFAULT_LIMIT, partings);
        Set<Integer> rows = new HashSet<>();
        BitSet neighbours = Neighbours.cuts(body);
        for (Region region : regions) {
            boolean start =
                    region.entry() == 0
                            || neighbours.get(region.entry())
                            || Synchronization.isMeeting(
                                    body.instructions().get(region.entry() - 1));
            if (start) {
                rows.add(region.number());
            } else if (!partings.get(region.entry())) {
                return Optional.empty(); // cut for its length
            }
        }
        Emitted emitted = emit(new KernelPlan(program, body, regions), rows, effects, lanes);
        return Optional.of(emitted).filter(each -> each.longest() < METHOD_LIMIT);
    }

    private static Emitted emit(KernelPlan plan, Set<Integer> rows, BitSet effects, int lanes) {
        byte[] bytes;
        try {
            bytes = write(plan, rows, effects, lanes);
        } catch (IllegalArgumentException e) {
            // Code, constants or locals beyond what a class file can hold.
            throw new PtxException(
                    PtxException.Kind.UNSUPPORTED,
                    plan.body().function().position(),
                    plan.body().function().name()
                            + " is too long for this device ("
                            + e.getMessage()
                            + "); split it",
                    e);
        }
        return new Emitted(
                define(bytes),
                plan.sites(),
                plan.regions().size(),
                plan.slots().ints(),
                plan.slots().longs(),
                plan.frame().size(),
                !plan.spinHeads().isEmpty(),
                plan.inStep(),
                plan.storing(),
                longest(bytes),
                lanes,
                plan.regions().stream().map(Emitter::layout).toList());
    }

    private static List<Integer> layout(Region region) {
        List<Integer> layout = new ArrayList<>(List.of(region.entry()));
        for (int[] piece : region.pieces()) {
            layout.add(piece[0]);
            layout.add(piece[1]);
        }
        return List.copyOf(layout);
    }

    private static byte[] write(KernelPlan plan, Set<Integer> rows, BitSet effects, int lanes) {
        List<Region> regions = plan.regions();
        return ClassFile.of()
                .build(
                        SELF,
                        type -> {
                            type.withInterfaceSymbols(ClassDesc.of(KernelCode.class.getName()));
                            type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
                            constructor(type);
                            // All of these first: whatever is emitted then, they find the places
                            // and sites that they find in a class without rows.
                            for (Region region : regions) {
                                type.withMethodBody(
                                        "r" + region.number(),
                                        REGION,
                                        STATIC,
                                        code -> new RegionUnit(code, plan, region).emit());
                            }
                            for (Region region : regions) {
                                if (rows.contains(region.number())) {
                                    int few = Math.min(lanes, Lanes.WIDE);
                                    vector(type, plan, region, effects, few, "r");
                                    if (lanes > few) {
                                        vector(type, plan, region, effects, lanes, ROWS);
                                    }
                                }
                            }
                            type.withMethodBody(
                                    "run",
                                    MethodTypeDesc.of(CD_void, CD_int, Unit.BLOCK, CD_int, CD_int),
                                    ClassFile.ACC_PUBLIC,
                                    code -> dispatcher(code, regions.size(), rows, lanes));
                            type.withMethodBody(
                                    "runScalar",
                                    MethodTypeDesc.of(CD_void, CD_int, Unit.BLOCK, CD_int, CD_int),
                                    ClassFile.ACC_PUBLIC,
                                    code -> dispatcher(code, regions.size(), Set.of(), lanes));
                            functions(type, plan.program());
                        });
    }

    private static void vector(
            ClassBuilder type,
            KernelPlan plan,
            Region region,
            BitSet effects,
            int lanes,
            String narrower) {
        type.withMethodBody(
                method(lanes) + region.number(),
                REGION,
                STATIC,
                code -> new VectorUnit(code, plan, region, effects, lanes, narrower).emit());
    }

    /** What the methods for rows of so many threads are called, before the region's number. */
    private static String method(int lanes) {
        return lanes > Lanes.WIDE ? "vlong" : ROWS;
    }

    private static int longest(byte[] bytes) {
        return ClassFile.of().parse(bytes).methods().stream()
                .filter(method -> method.methodName().stringValue().matches("(r|v|vlong)\\d+"))
                .mapToInt(method ->
                        method.findAttribute(java.lang.classfile.Attributes.code())
                                .map(java.lang.classfile.attribute.CodeAttribute::codeLength)
                                .orElse(0))
                .max()
                .orElse(0);
    }

    private static KernelCode define(byte[] bytes) {
        try {
            return (KernelCode)
                    MethodHandles.lookup()
                            .defineHiddenClass(bytes, true)
                            .lookupClass()
                            .getDeclaredConstructor()
                            .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a generated class cannot be defined", e);
        }
    }

    private static void constructor(ClassBuilder type) {
        type.withMethodBody(
                ConstantDescs.INIT_NAME,
                ConstantDescs.MTD_void,
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .invokespecial(
                                        ConstantDescs.CD_Object,
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void)
                                .return_());
    }

    private static void dispatcher(CodeBuilder code, int regions, Set<Integer> rows, int lanes) {
        List<SwitchCase> cases = new ArrayList<>();
        List<Label> labels = new ArrayList<>();
        for (int i = 0; i < regions; i++) {
            labels.add(code.newLabel());
            cases.add(SwitchCase.of(i, labels.get(i)));
        }
        code.iload(1).tableswitch(0, regions - 1, labels.getFirst(), cases);
        for (int i = 0; i < regions; i++) {
            code.labelBinding(labels.get(i));
            if (!rows.isEmpty() && !rows.contains(i)) {
                code.aload(2).iconst_1().putfield(Unit.BLOCK, "mixed", CD_boolean);
            }
            code.aload(2).iload(3).iload(4);
            code.invokestatic(SELF, (rows.contains(i) ? method(lanes) : "r") + i, REGION).return_();
        }
    }

    private static void functions(ClassBuilder type, Program program) {
        while (true) {
            Optional<Function> function = program.nextFunction();
            if (function.isEmpty()) {
                break;
            }
            String name = program.method(function.get());
            Body body = program.graph().body(function.get());
            type.withMethodBody(
                    name,
                    Calls.FUNCTION,
                    STATIC,
                    code -> new FunctionUnit(code, program, body).emit());
        }
        if (program.hasIndirect()) {
            type.withMethodBody(
                    "indirect", Calls.INDIRECT, STATIC, code -> indirect(code, program));
        }
    }

    private static void indirect(CodeBuilder code, Program program) {
        List<Function> targets =
                program.graph().addressTaken().stream()
                        .sorted(java.util.Comparator.comparingInt(program.graph()::index))
                        .toList();
        Label unknown = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        List<Label> labels = new ArrayList<>();
        for (Function target : targets) {
            labels.add(code.newLabel());
            cases.add(SwitchCase.of(16 * program.graph().index(target), labels.getLast()));
        }
        code.lload(3).loadConstant(Windows.CODE).lsub().loadConstant(Windows.SIZE).lcmp();
        code.ifge(unknown);
        code.lload(3).loadConstant(Windows.CODE).lcmp().iflt(unknown);
        code.lload(3).loadConstant(Windows.CODE).lsub().l2i().lookupswitch(unknown, cases);
        for (int i = 0; i < targets.size(); i++) {
            code.labelBinding(labels.get(i)).aload(0).iload(1).iload(2);
            code.invokestatic(SELF, program.method(targets.get(i)), Calls.FUNCTION).return_();
        }
        code.labelBinding(unknown).lload(3);
        code.invokestatic(Calls.BUILTINS, "badCall", MethodTypeDesc.of(FAULT, CD_long)).athrow();
    }
}
