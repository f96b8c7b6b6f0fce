package facet.bench;

import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import facet.jit.runtime.AccessUnsafe;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Random;

/**
 * Writes methods of many float loads and stores, each at an offset of its own, as a kernel's code
 * has them. Like the compiler it keeps a method below the 8,000 bytes that HotSpot compiles.
 */
final class AccessCode {
    static final int BYTES = 1 << 16;

    /** How an access is written. */
    enum Kind {
        /** {@code AccessUnsafe.getF32(AccessUnsafe.check4(…))}. */
        UNSAFE(400),
        /**
         * The same in methods so short that C2 inlines everything (its limit: 8,000 bytes in all).
         */
        UNSAFE_SHORT(100),
        /** {@code MemorySegment.get} and {@code set}. */
        SEGMENT(400);

        private final int perMethod;

        Kind(int perMethod) {
            this.perMethod = perMethod;
        }
    }

    private static final ClassDesc SELF = ClassDesc.of("facet.bench.GeneratedAccess");
    private static final ClassDesc ACCESS = ClassDesc.of(AccessUnsafe.class.getName());
    private static final ClassDesc SEGMENT = ClassDesc.of(MemorySegment.class.getName());
    private static final ClassDesc LAYOUT = ClassDesc.of(ValueLayout.class.getName());
    private static final ClassDesc OF_FLOAT = ClassDesc.of(ValueLayout.OfFloat.class.getName());
    private static final MethodTypeDesc RUN =
            MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long, SEGMENT);
    private static final MethodTypeDesc CHECK =
            MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long);

    // Local variables of a part; a long takes two.
    private static final int ADDRESS = 0;
    private static final int BASE = 2;
    private static final int SIZE = 4;
    private static final int MEMORY = 6;
    private static final int VALUE = 7;

    /** Runs every access once. */
    interface Run {
        /**
         * @param address of the process for Unsafe, an offset into the segment otherwise
         */
        void run(long address, long base, long size, MemorySegment segment);
    }

    private final Kind kind;
    private final Random random = new Random(1);

    private AccessCode(Kind kind) {
        this.kind = kind;
    }

    static Run generate(Kind kind, int accesses) throws ReflectiveOperationException {
        byte[] bytes = new AccessCode(kind).write(accesses);
        return (Run)
                MethodHandles.lookup()
                        .defineHiddenClass(bytes, true)
                        .lookupClass()
                        .getDeclaredConstructor()
                        .newInstance();
    }

    private byte[] write(int accesses) {
        return ClassFile.of()
                .build(
                        SELF,
                        type -> {
                            type.withInterfaceSymbols(ClassDesc.of(Run.class.getName()));
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
                            int parts = (accesses + kind.perMethod - 1) / kind.perMethod;
                            for (int i = 0; i < parts; i++) {
                                part(type, "part" + i, accesses / parts);
                            }
                            type.withMethodBody(
                                    "run",
                                    RUN,
                                    ClassFile.ACC_PUBLIC,
                                    code -> callParts(code, parts));
                        });
    }

    private static void callParts(CodeBuilder code, int parts) {
        for (int i = 0; i < parts; i++) {
            code.lload(1).lload(3).lload(5).aload(7).invokestatic(SELF, "part" + i, RUN);
        }
        code.return_();
    }

    private void part(ClassBuilder type, String name, int accesses) {
        type.withMethodBody(
                name,
                RUN,
                ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
                code -> {
                    for (int i = 0; i < accesses / 2; i++) {
                        address(code);
                        load(code);
                        code.fconst_1().fadd().fstore(VALUE);
                        address(code);
                        code.fload(VALUE);
                        store(code);
                    }
                    code.return_();
                });
    }

    /** Leaves the checked address, or the segment and what its accessor takes before the value. */
    private void address(CodeBuilder code) {
        if (kind == Kind.SEGMENT) {
            code.aload(MEMORY).getstatic(LAYOUT, "JAVA_FLOAT", OF_FLOAT);
        }
        code.lload(ADDRESS).loadConstant((long) 4 * random.nextInt(BYTES / 8)).ladd();
        if (kind != Kind.SEGMENT) {
            code.lload(BASE).lload(SIZE).invokestatic(ACCESS, "check4", CHECK);
        }
    }

    private void load(CodeBuilder code) {
        if (kind == Kind.SEGMENT) {
            code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(CD_float, OF_FLOAT, CD_long));
        } else {
            code.invokestatic(ACCESS, "getF32", MethodTypeDesc.of(CD_float, CD_long));
        }
    }

    private void store(CodeBuilder code) {
        if (kind == Kind.SEGMENT) {
            code.invokeinterface(
                    SEGMENT, "set", MethodTypeDesc.of(CD_void, OF_FLOAT, CD_long, CD_float));
        } else {
            code.invokestatic(ACCESS, "putF32", MethodTypeDesc.of(CD_void, CD_long, CD_float));
        }
    }
}
