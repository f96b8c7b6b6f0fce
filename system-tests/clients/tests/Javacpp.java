import static org.bytedeco.cuda.global.cudart.*;

import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.cudart.cudaDeviceProp;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;

/** JavaCPP's CUDA: the runtime and the driver API from Java. */
final class Javacpp {
    private static final String PTX =
            """
            .version 7.0
            .target sm_75
            .address_size 64
            .visible .entry twice(.param .u64 x)
            {
                .reg .b32 %r<2>;
                .reg .b64 %d<4>;
                .reg .f32 %f<3>;
                ld.param.u64 %d1, [x];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %d2, %r1, 4;
                add.s64 %d3, %d1, %d2;
                ld.global.f32 %f1, [%d3];
                add.f32 %f2, %f1, %f1;
                st.global.f32 [%d3], %f2;
                ret;
            }
            """;

    private interface Test {
        void run();
    }

    private static void test(String name, Test test) {
        try {
            test.run();
            System.out.println("ok " + name);
        } catch (RuntimeException | LinkageError e) {
            System.out.println("failed " + name + ": " + e);
        }
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what);
        }
    }

    private static void good(int result) {
        check(result == 0, "result " + result);
    }

    public static void main(String[] arguments) {
        test("device", Javacpp::device);
        test("copies", Javacpp::copies);
        test("driver", Javacpp::driver);
        test("errors", Javacpp::errors);
        System.out.println("done");
    }

    private static void device() {
        int[] count = new int[1];
        good(cudaGetDeviceCount(count));
        check(count[0] == 1, count[0] + " devices");
        cudaDeviceProp properties = new cudaDeviceProp();
        good(cudaGetDeviceProperties(properties, 0));
        check(properties.major() == 8 && properties.minor() == 9, "capability " + properties.major());
        SizeTPointer free = new SizeTPointer(1);
        SizeTPointer total = new SizeTPointer(1);
        good(cudaMemGetInfo(free, total));
        check(total.get() == properties.totalGlobalMem(), "memory " + total.get());
    }

    private static void copies() {
        FloatPointer host = new FloatPointer(1, 2, 3, 4);
        FloatPointer back = new FloatPointer(4);
        Pointer memory = new Pointer();
        good(cudaMalloc(memory, 16));
        good(cudaMemcpy(memory, host, 16, cudaMemcpyHostToDevice));
        good(cudaMemcpy(back, memory, 16, cudaMemcpyDeviceToHost));
        check(back.get(3) == 4, "value " + back.get(3));
        good(cudaFree(memory));
    }

    private static void driver() {
        good(cuInit(0));
        CUctx_st context = new CUctx_st();
        good(cuDevicePrimaryCtxRetain(context, 0));
        good(cuCtxSetCurrent(context));
        CUmod_st module = new CUmod_st();
        good(cuModuleLoadData(module, new BytePointer(PTX)));
        CUfunc_st function = new CUfunc_st();
        good(cuModuleGetFunction(function, module, new BytePointer("twice")));
        FloatPointer numbers = new FloatPointer(1, 2, 3, 4);
        LongPointer memory = new LongPointer(1);
        good(cuMemAlloc(memory, 16));
        good(cuMemcpyHtoD(memory.get(), numbers, 16));
        PointerPointer<Pointer> parameters = new PointerPointer<>(1);
        parameters.put(0, memory);
        good(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, (CUstream_st) null, parameters, null));
        good(cuMemcpyDtoH(numbers, memory.get(), 16));
        for (int i = 0; i < 4; i++) {
            check(numbers.get(i) == 2 * (i + 1), i + " has " + numbers.get(i));
        }
        good(cuModuleUnload(module));
    }

    private static void errors() {
        int result = cudaMalloc(new Pointer(), 1L << 50);
        check(result == cudaErrorMemoryAllocation, "result " + result);
        IntPointer version = new IntPointer(1);
        good(cudaRuntimeGetVersion(version));
        check(version.get() >= 12000, "version " + version.get());
    }
}
