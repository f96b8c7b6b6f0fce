"""The clients: what they are made of, and where their tests are."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Client:
    name: str
    packages: tuple  # the first one is the client itself
    tests: tuple  # arguments of pytest; {site} is where the packages are, {own} the folder tests, {source} the client's sources
    kind: str = "python"  # or java: packages are group:artifact:version[:classifier], tests our classes
    helpers: tuple = ()  # packages that only the tests need
    source: bool = False  # the client is compiled from its sources, which have its tests
    profile: str = "8.9"  # compute capability of the device
    test_seconds: int = 120  # for one test
    seconds: int = 3600  # for all of them
    environment: dict = field(default_factory=dict)

    @property
    def version(self):
        name = self.packages[0]
        return name.split(":")[2] if self.kind == "java" else name.split("==")[1]


RUNNER = ("pytest==9.2.0", "pytest-xdist==3.8.0", "pytest-timeout==2.4.0")

WARP = (
    *("test_launch", "test_copy", "test_struct", "test_atomic", "test_func", "test_rand", "test_array", "test_print", "test_graph"),
    *("cuda/test_streams", "cuda/test_mempool", "geometry/test_hash_grid"),
)

ALL = (
    Client(
        "numba-cuda",
        ("numba-cuda[cu13]==0.30.4", "cuda-toolkit==13.4.3", "numba==0.68.1"),
        # The first ones are what numba-cuda's own folder for tests says.
        ("-o", "consider_namespace_packages=true", "--dist", "loadscope", "-p", "numba_options", "--ignore-glob", "*benchmarks*", "--pyargs", "numba.cuda.tests"),
        helpers=("psutil", "filecheck", "cffi", "ml-dtypes"),
        environment={"PYTHONPATH": "{own}"},
    ),
    Client(
        "cupy",
        ("cupy-cuda13x[ctk]==14.2.0", "cuda-toolkit==13.4.3"),
        ("{own}/cupy_test.py",),
        profile="12.0",  # the kernels that it has compiled already come with PTX of this one
    ),
    Client(
        "warp",
        ("warp-lang==1.19.0",),
        # A part of its own tests.
        ("-p", "warp_options", "{own}/warp_test.py", *("{site}/warp/tests/%s.py" % name for name in WARP)),
        test_seconds=240,
        seconds=7200,
        environment={"PYTHONPATH": "{own}"},
    ),
    Client(
        "pycuda",
        ("pycuda==2026.1",),
        ("-p", "pycuda_options", "{source}/test/test_driver.py", "{source}/test/test_gpuarray.py", "{source}/test/test_cumath.py"),
        helpers=("numpy",),
        source=True,
        seconds=7200,  # nvcc compiles each kernel
        environment={"PYTHONPATH": "{own}"},
    ),
    Client("torch", ("torch==2.15.0",), ("{own}/torch_test.py",), helpers=("numpy",), profile="12.0", test_seconds=300),
    Client(
        "jcuda",
        ("org.jcuda:jcuda:12.6.0", "org.jcuda:jcuda-natives:12.6.0:linux-x86_64"),
        ("Jcuda",),
        kind="java",
    ),
    Client(
        "javacpp",
        (
            "org.bytedeco:cuda:12.9-9.10-1.5.12",
            "org.bytedeco:cuda:12.9-9.10-1.5.12:linux-x86_64",
            "org.bytedeco:javacpp:1.5.12",
            "org.bytedeco:javacpp:1.5.12:linux-x86_64",
        ),
        ("Javacpp",),
        kind="java",
    ),
)

CLIENTS = {each.name: each for each in ALL}
