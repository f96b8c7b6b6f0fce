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
 * Writes methods of many float loads and stores, each at an offset of its own, as a kernel's code has
 * them. Like the compiler it keeps a method below the 8,000 bytes that HotSpot compiles.
 */
final class AccessCode {
    static final int BYTES = 1 << 16;

    private static final int PER_METHOD = 400;
    private static final ClassDesc SELF = ClassDesc.of("facet.bench.GeneratedAccess");
    private static final ClassDesc ACCESS = ClassDesc.of(AccessUnsafe.class.getName());
    private static final ClassDesc SEGMENT = ClassDesc.of(MemorySegment.class.getName());
    private static final ClassDesc LAYOUT = ClassDesc.of(ValueLayout.class.getName());
    private static final ClassDesc OF_FLOAT = ClassDesc.of(ValueLayout.OfFloat.class.getName());
    private static final MethodTypeDesc RUN = MethodTypeDesc.of(CD_void, CD_long, CD_long, CD_long, SEGMENT);
    private static final MethodTypeDesc CHECK = MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long);

    /** Runs every access once. */
    interface Run {
        /** @param address of the process for Unsafe, an offset into the segment otherwise */
        void run(long address, long base, long size, MemorySegment segment);
    }

    private final boolean unsafe;
    private final Random random = new Random(1);

    private AccessCode(boolean unsafe) {
        this.unsafe = unsafe;
    }

    static Run generate(boolean unsafe, int accesses) throws ReflectiveOperationException {
        byte[] bytes = new AccessCode(unsafe).write(accesses);
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
                            int parts = (accesses + PER_METHOD - 1) / PER_METHOD;
                            for (int i = 0; i < parts; i++) {
                                part(type, "part" + i, accesses / parts);
                            }
                            type.withMethodBody("run", RUN, ClassFile.ACC_PUBLIC, code -> callParts(code, parts));
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
                        load(code);
                        code.fconst_1().fadd().fstore(7);
                        store(code);
                    }
                    code.return_();
                });
    }

    private void load(CodeBuilder code) {
        address(code);
        if (unsafe) {
            code.invokestatic(ACCESS, "getF32", MethodTypeDesc.of(CD_float, CD_long));
        } else {
            code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(CD_float, OF_FLOAT, CD_long));
        }
    }

    private void store(CodeBuilder code) {
        address(code);
        code.fload(7);
        if (unsafe) {
            code.invokestatic(ACCESS, "putF32", MethodTypeDesc.of(CD_void, CD_long, CD_float));
        } else {
            code.invokeinterface(SEGMENT, "set", MethodTypeDesc.of(CD_void, OF_FLOAT, CD_long, CD_float));
        }
    }

    /** The checked address, or the segment and what its accessor takes before the value. */
    private void address(CodeBuilder code) {
        if (!unsafe) {
            code.aload(6).getstatic(LAYOUT, "JAVA_FLOAT", OF_FLOAT);
        }
        code.lload(0).loadConstant((long) 4 * random.nextInt(BYTES / 8)).ladd();
        if (unsafe) {
            code.lload(2).lload(4).invokestatic(ACCESS, "check4", CHECK);
        }
    }
}
