import java.util.Arrays;
import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import jcuda.runtime.JCuda;
import jcuda.runtime.cudaDeviceProp;
import jcuda.runtime.cudaMemcpyKind;

/** JCuda: the runtime and the driver API from Java. */
final class Jcuda {
    private static final int COUNT = 1000;

    private static final String PTX =
            """
            .version 7.0
            .target sm_75
            .address_size 64
            .visible .entry add(.param .u64 x, .param .u64 y, .param .u32 n)
            {
                .reg .b32 %r<6>;
                .reg .b64 %d<6>;
                .reg .f32 %f<4>;
                .reg .pred %p;
                ld.param.u64 %d1, [x];
                ld.param.u64 %d2, [y];
                ld.param.u32 %r1, [n];
                mov.u32 %r2, %ctaid.x;
                mov.u32 %r3, %ntid.x;
                mov.u32 %r4, %tid.x;
                mad.lo.s32 %r5, %r2, %r3, %r4;
                setp.ge.u32 %p, %r5, %r1;
                @%p ret;
                mul.wide.u32 %d3, %r5, 4;
                add.s64 %d4, %d1, %d3;
                add.s64 %d5, %d2, %d3;
                ld.global.f32 %f1, [%d4];
                ld.global.f32 %f2, [%d5];
                add.f32 %f3, %f1, %f2;
                st.global.f32 [%d5], %f3;
                ret;
            }
            """;

    private interface Test {
        void run() throws Exception;
    }

    private static void test(String name, Test test) {
        try {
            test.run();
            System.out.println("ok " + name);
        } catch (Exception | LinkageError e) {
            System.out.println("failed " + name + ": " + e);
        }
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what);
        }
    }

    public static void main(String[] arguments) {
        JCuda.setExceptionsEnabled(true);
        JCudaDriver.setExceptionsEnabled(true);
        test("device", Jcuda::device);
        test("copies", Jcuda::copies);
        test("mapped memory", Jcuda::mappedMemory);
        test("unified memory", Jcuda::unifiedMemory);
        test("callbacks", Jcuda::callbacks);
        test("driver", Jcuda::driver);
        test("errors", Jcuda::errors);
        System.out.println("done");
    }

    private static void device() {
        int[] count = new int[1];
        JCuda.cudaGetDeviceCount(count);
        check(count[0] == 1, count[0] + " devices");
        cudaDeviceProp properties = new cudaDeviceProp();
        JCuda.cudaGetDeviceProperties(properties, 0);
        check(properties.major == 8 && properties.minor == 9, "capability " + properties.major);
        long[] free = new long[1];
        long[] total = new long[1];
        JCuda.cudaMemGetInfo(free, total);
        check(total[0] == properties.totalGlobalMem, "memory " + total[0]);
    }

    private static void copies() {
        float[] numbers = new float[COUNT];
        Arrays.fill(numbers, 7);
        float[] back = new float[COUNT];
        Pointer memory = new Pointer();
        JCuda.cudaMalloc(memory, COUNT * Sizeof.FLOAT);
        JCuda.cudaMemcpy(
                memory, Pointer.to(numbers), COUNT * Sizeof.FLOAT, cudaMemcpyKind.cudaMemcpyHostToDevice);
        JCuda.cudaMemset(memory, 0, 10 * Sizeof.FLOAT);
        JCuda.cudaMemcpy(
                Pointer.to(back), memory, COUNT * Sizeof.FLOAT, cudaMemcpyKind.cudaMemcpyDeviceToHost);
        JCuda.cudaFree(memory);
        check(back[9] == 0 && back[10] == 7 && back[COUNT - 1] == 7, Arrays.toString(back));
    }

    private static void mappedMemory() {
        Pointer host = new Pointer();
        Pointer device = new Pointer();
        JCuda.cudaHostAlloc(host, COUNT * Sizeof.INT, JCuda.cudaHostAllocMapped);
        JCuda.cudaHostGetDevicePointer(device, host, 0);
        JCuda.cudaMemset(device, 1, COUNT * Sizeof.INT);
        JCuda.cudaDeviceSynchronize();
        check(host.getByteBuffer(0, 4).order(java.nio.ByteOrder.nativeOrder()).getInt() == 0x01010101, "value");
        JCuda.cudaFreeHost(host);
    }

    private static void unifiedMemory() {
        Pointer memory = new Pointer();
        int[] back = new int[1];
        JCuda.cudaMallocManaged(memory, COUNT * Sizeof.INT, JCuda.cudaMemAttachHost);
        memory.getByteBuffer(0, 4).order(java.nio.ByteOrder.nativeOrder()).putInt(42);
        JCuda.cudaMemcpy(Pointer.to(back), memory, Sizeof.INT, cudaMemcpyKind.cudaMemcpyDeviceToHost);
        check(back[0] == 42, "value " + back[0]);
        JCuda.cudaFree(memory);
    }

    private static void callbacks() throws InterruptedException {
        jcuda.runtime.cudaStream_t stream = new jcuda.runtime.cudaStream_t();
        JCuda.cudaStreamCreate(stream);
        java.util.concurrent.CountDownLatch called = new java.util.concurrent.CountDownLatch(1);
        JCuda.cudaStreamAddCallback(stream, (each, status, data) -> called.countDown(), null, 0);
        JCuda.cudaStreamSynchronize(stream);
        check(called.await(60, java.util.concurrent.TimeUnit.SECONDS), "not called");
        JCuda.cudaStreamDestroy(stream);
    }

    private static void driver() {
        JCudaDriver.cuInit(0);
        CUdevice device = new CUdevice();
        JCudaDriver.cuDeviceGet(device, 0);
        CUcontext context = new CUcontext();
        JCudaDriver.cuCtxCreate(context, 0, device);
        CUmodule module = new CUmodule();
        JCudaDriver.cuModuleLoadData(module, PTX);
        CUfunction function = new CUfunction();
        JCudaDriver.cuModuleGetFunction(function, module, "add");
        float[] x = new float[COUNT];
        float[] y = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            x[i] = i;
            y[i] = 1;
        }
        CUdeviceptr deviceX = new CUdeviceptr();
        CUdeviceptr deviceY = new CUdeviceptr();
        JCudaDriver.cuMemAlloc(deviceX, COUNT * Sizeof.FLOAT);
        JCudaDriver.cuMemAlloc(deviceY, COUNT * Sizeof.FLOAT);
        JCudaDriver.cuMemcpyHtoD(deviceX, Pointer.to(x), COUNT * Sizeof.FLOAT);
        JCudaDriver.cuMemcpyHtoD(deviceY, Pointer.to(y), COUNT * Sizeof.FLOAT);
        CUstream stream = new CUstream();
        JCudaDriver.cuStreamCreate(stream, 0);
        CUevent event = new CUevent();
        JCudaDriver.cuEventCreate(event, 0);
        Pointer parameters =
                Pointer.to(
                        Pointer.to(deviceX), Pointer.to(deviceY), Pointer.to(new int[] {COUNT}));
        JCudaDriver.cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, stream, parameters, null);
        JCudaDriver.cuEventRecord(event, stream);
        JCudaDriver.cuEventSynchronize(event);
        JCudaDriver.cuMemcpyDtoH(Pointer.to(y), deviceY, COUNT * Sizeof.FLOAT);
        for (int i = 0; i < COUNT; i++) {
            check(y[i] == i + 1, i + " has " + y[i]);
        }
        JCudaDriver.cuModuleUnload(module);
        JCudaDriver.cuCtxDestroy(context);
    }

    private static void errors() {
        JCuda.setExceptionsEnabled(false);
        int result = JCuda.cudaMalloc(new Pointer(), 1L << 50);
        check(result == jcuda.runtime.cudaError.cudaErrorMemoryAllocation, "result " + result);
        check("cudaErrorMemoryAllocation".equals(JCuda.cudaGetErrorName(result)), "name");
    }
}
