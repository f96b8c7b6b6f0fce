"""CuPy: kernels of one's own by NVRTC, what it writes itself, and what it needs the vendor's libraries for."""

import cupy
import numpy
import pytest

SAXPY = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
template<typename T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
__constant__ float factors[4];
extern "C" __global__ void scale(float *x) { x[threadIdx.x] *= factors[threadIdx.x % 4]; }
"""


@pytest.fixture
def numbers():
    return cupy.arange(1000, dtype=cupy.float32)


def test_the_device_has_its_memory():
    free, total = cupy.cuda.runtime.memGetInfo()
    assert 0 < free <= total
    assert cupy.cuda.runtime.getDeviceProperties(0)["totalGlobalMem"] == total


@pytest.mark.parametrize("backend", ["nvrtc", "nvcc"])
def test_raw_kernel(backend, numbers):
    y = cupy.ones(1000, dtype=cupy.float32)
    kernel = cupy.RawKernel(SAXPY, "saxpy", backend=backend)
    kernel((8,), (128,), (numpy.float32(3), numbers, y, numpy.int32(1000)))
    assert (y.get() == 3 * numpy.arange(1000, dtype=numpy.float32) + 1).all()
    assert kernel.max_threads_per_block == 1024


def test_raw_module_with_templates():
    module = cupy.RawModule(code=SAXPY, options=("-std=c++17",), name_expressions=["twice<int>", "twice<double>"])
    for name, kind in (("twice<int>", cupy.int32), ("twice<double>", cupy.float64)):
        x = cupy.arange(64, dtype=kind)
        module.get_function(name)((1,), (64,), (x,))
        assert (x.get() == 2 * numpy.arange(64)).all()


def test_constant_memory_of_a_module(numbers):
    module = cupy.RawModule(code=SAXPY, options=("-std=c++17",), name_expressions=["twice<int>"])
    factors = cupy.ndarray(4, cupy.float32, module.get_global("factors"))
    factors[...] = cupy.array([1, 2, 3, 4], dtype=cupy.float32)
    x = cupy.ones(64, dtype=cupy.float32)
    module.get_function("scale")((1,), (64,), (x,))
    assert (x.get().reshape(16, 4) == [1, 2, 3, 4]).all()


def test_elementwise_kernel(numbers):
    squared = cupy.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")
    assert (squared(numbers, cupy.float32(5)).get() == (numpy.arange(1000, dtype=numpy.float32) - 5) ** 2).all()


def test_reduction_kernel(numbers):
    norm = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    assert numpy.allclose(norm(numbers).get(), numpy.linalg.norm(numpy.arange(1000.0)))


@pytest.mark.parametrize("kind", "?bBhHiIlLqQefdFD")
def test_arithmetic_of_every_kind(kind):
    here = numpy.arange(1, 100).astype(kind)
    there = cupy.asarray(here)
    assert numpy.allclose((there + there * there).get(), here + here * here)


@pytest.mark.parametrize("name", "sin cos tan exp log sqrt cbrt arctan tanh floor rint exp2 log1p".split())
def test_functions(name, numbers):
    expected = getattr(numpy, name)(numpy.arange(1000, dtype=numpy.float32) / 1000 + 0.5)
    assert numpy.allclose(getattr(cupy, name)(numbers / 1000 + 0.5).get(), expected, rtol=1e-5)


@pytest.mark.parametrize("name", "sum prod max min argmax argmin mean var any all cumsum cumprod".split())
def test_reductions(name):
    here = numpy.random.RandomState(7).rand(40, 30)
    assert numpy.allclose(getattr(cupy, name)(cupy.asarray(here), axis=1).get(), getattr(numpy, name)(here, axis=1))


def test_sorting():
    here = numpy.random.RandomState(7).rand(10000)
    assert (cupy.sort(cupy.asarray(here)).get() == numpy.sort(here)).all()
    assert (cupy.argsort(cupy.asarray(here)).get() == numpy.argsort(here)).all()


def test_indexing_and_broadcasting():
    here = numpy.arange(120.0).reshape(4, 5, 6)
    there = cupy.asarray(here)
    assert (there[:, ::2, ::-1].get() == here[:, ::2, ::-1]).all()
    assert (there[there > 50].get() == here[here > 50]).all()
    assert (cupy.concatenate([there, there], axis=2).get() == numpy.concatenate([here, here], axis=2)).all()
    there[cupy.array([0, 2])] = -1
    assert (there.get()[[0, 2]] == -1).all()


def test_fused_kernels(numbers):
    @cupy.fuse()
    def fused(x, y):
        return cupy.sqrt(x * x + y * y) + 1

    assert numpy.allclose(fused(numbers, numbers).get(), numpy.sqrt(2.0) * numpy.arange(1000) + 1)


def test_jit_kernels(numbers):
    from cupyx import jit

    @jit.rawkernel()
    def twice(x, n):
        i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
        if i < n:
            x[i] = x[i] * 2

    twice((8,), (128,), (numbers, numpy.uint32(1000)))
    assert (numbers.get() == 2 * numpy.arange(1000)).all()


def test_streams_and_events(numbers):
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        y = numbers * 2
        end = stream.record()
    end.synchronize()
    assert (y.get() == 2 * numpy.arange(1000)).all()
    assert stream.done


def test_graphs(numbers):
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        numbers *= 1
        stream.begin_capture()
        numbers *= 2
        graph = stream.end_capture()
        for _ in range(3):
            graph.launch()
    stream.synchronize()
    assert (numbers.get() == 8 * numpy.arange(1000)).all()


def test_pools():
    pool = cupy.cuda.MemoryPool()
    with cupy.cuda.using_allocator(pool.malloc):
        x = cupy.zeros(1 << 20, dtype=cupy.uint8)
        assert pool.used_bytes() >= 1 << 20
        del x
    pool.free_all_blocks()
    assert pool.total_bytes() == 0
    with cupy.cuda.using_allocator(cupy.cuda.MemoryAsyncPool().malloc):
        assert (cupy.ones(1000).get() == 1).all()


def test_managed_and_pinned_memory():
    with cupy.cuda.using_allocator(cupy.cuda.malloc_managed):
        assert (cupy.ones(1000).get() == 1).all()
    memory = cupy.cuda.alloc_pinned_memory(800)
    here = numpy.frombuffer(memory, numpy.float64, 100)
    here[...] = 3
    assert (cupy.asarray(here).get() == 3).all()


def test_an_error_is_one_of_cuda():
    with pytest.raises(cupy.cuda.memory.OutOfMemoryError):
        cupy.zeros(1 << 50, dtype=cupy.uint8)


LIBRARIES = {
    "cublas": lambda: cupy.ones((4, 4)) @ cupy.ones((4, 4)),
    "cufft": lambda: cupy.fft.fft(cupy.ones(16)),
    "curand": lambda: cupy.random.rand(16),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_that_cannot_run_says_so_once(library, capfd):
    for _ in range(2):
        with pytest.raises(Exception):
            LIBRARIES[library]()
            cupy.cuda.Device().synchronize()
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("facet: lib" + library)]
    assert len(told) == 1
    assert "cannot run on this device" in told[0]
