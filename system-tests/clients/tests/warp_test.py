"""Warp: its library is stripped and has the CUDA runtime and the compiler inside. What its tutorials do, compared with numpy."""

import numpy
import pytest
import warp

DEVICE = "cuda:0"
COUNT = 1000


@warp.struct
class Particle:
    place: warp.vec3
    mass: float


@warp.func
def square(x: float):
    return x * x


@warp.kernel
def twice(x: warp.array(dtype=float)):
    i = warp.tid()
    x[i] = 2.0 * x[i]


@warp.kernel
def add_squares(x: warp.array(dtype=float), total: warp.array(dtype=float)):
    warp.atomic_add(total, 0, square(x[warp.tid()]))


@warp.kernel
def fall(particles: warp.array(dtype=Particle), seconds: float):
    i = warp.tid()
    particle = particles[i]
    particle.place = particle.place + warp.vec3(0.0, -9.81 * seconds * particle.mass, 0.0)
    particles[i] = particle


@warp.kernel
def turn(points: warp.array(dtype=warp.vec3), by: warp.quat):
    i = warp.tid()
    points[i] = warp.quat_rotate(by, points[i])


@warp.kernel
def loss(x: warp.array(dtype=float), out: warp.array(dtype=float)):
    i = warp.tid()
    warp.atomic_add(out, 0, warp.sin(x[i]) * x[i])


@warp.kernel
def multiply(a: warp.array2d(dtype=float), b: warp.array2d(dtype=float), c: warp.array2d(dtype=float)):
    i, j = warp.tid()
    total = float(0.0)
    for k in range(a.shape[1]):
        total += a[i, k] * b[k, j]
    c[i, j] = total


@warp.kernel
def draws(seed: int, out: warp.array(dtype=float)):
    i = warp.tid()
    state = warp.rand_init(seed, i)
    out[i] = warp.randf(state)


@warp.kernel
def neighbours(grid: warp.uint64, points: warp.array(dtype=warp.vec3), radius: float, counts: warp.array(dtype=int)):
    i = warp.tid()
    count = int(0)
    for other in warp.hash_grid_query(grid, points[i], radius):
        if warp.length(points[i] - points[other]) <= radius:
            count += 1
    counts[i] = count


@warp.kernel
def nearest(mesh: warp.uint64, points: warp.array(dtype=warp.vec3), distances: warp.array(dtype=float)):
    i = warp.tid()
    query = warp.mesh_query_point(mesh, points[i], 100.0)
    if query.result:
        distances[i] = warp.length(points[i] - warp.mesh_eval_position(mesh, query.face, query.u, query.v))


@warp.kernel
def sums(x: warp.array2d(dtype=float), out: warp.array(dtype=float)):
    i = warp.tid()
    row = warp.tile_load(x[i], shape=64)
    warp.tile_store(out, warp.tile_sum(row), offset=i)


def numbers(count=COUNT, seed=1):
    return numpy.random.default_rng(seed).random(count, dtype=numpy.float32)


def on_device(data, **more):
    return warp.array(data, device=DEVICE, **more)


def test_it_sees_the_device():
    device = warp.get_device(DEVICE)
    assert device.arch in (75, 80, 89, 90, 120)
    assert 0 < device.free_memory <= device.total_memory


def test_a_kernel():
    x = on_device(numbers())
    warp.launch(twice, dim=COUNT, inputs=[x], device=DEVICE)
    assert numpy.array_equal(x.numpy(), 2 * numbers())


def test_functions_and_atomics():
    x, total = on_device(numbers()), warp.zeros(1, dtype=float, device=DEVICE)
    warp.launch(add_squares, dim=COUNT, inputs=[x, total], device=DEVICE)
    assert total.numpy()[0] == pytest.approx(numpy.sum(numbers() ** 2, dtype=numpy.float64), rel=1e-4)


def test_structs():
    data = numpy.zeros(10, dtype=Particle.numpy_dtype())
    data["place"] = [[i, 100, 0] for i in range(10)]
    data["mass"] = 2
    particles = warp.array(data, dtype=Particle, device=DEVICE)
    warp.launch(fall, dim=10, inputs=[particles, 0.5], device=DEVICE)
    assert numpy.allclose(particles.numpy()["place"], [[i, 100 - 9.81, 0] for i in range(10)])


def test_vectors_and_quaternions():
    points = on_device([[1, 0, 0], [0, 1, 0]], dtype=warp.vec3)
    by = warp.quat_from_axis_angle(warp.vec3(0.0, 0.0, 1.0), numpy.pi / 2)
    warp.launch(turn, dim=2, inputs=[points, by], device=DEVICE)
    assert numpy.allclose(points.numpy(), [[0, 1, 0], [-1, 0, 0]], atol=1e-6)


def test_gradients():
    x, out = on_device(numbers(), requires_grad=True), warp.zeros(1, dtype=float, device=DEVICE, requires_grad=True)
    with warp.Tape() as tape:
        warp.launch(loss, dim=COUNT, inputs=[x, out], device=DEVICE)
    tape.backward(loss=out)
    assert numpy.allclose(tape.gradients[x].numpy(), numpy.cos(numbers()) * numbers() + numpy.sin(numbers()), atol=1e-5)


def test_two_dimensions():
    a, b = numbers(48).reshape(6, 8), numbers(40, 2).reshape(8, 5)
    c = warp.zeros((6, 5), dtype=float, device=DEVICE)
    warp.launch(multiply, dim=(6, 5), inputs=[on_device(a), on_device(b), c], device=DEVICE)
    assert numpy.allclose(c.numpy(), a @ b, atol=1e-5)


def test_random_numbers_are_those_of_the_cpu():
    here, there = (warp.zeros(COUNT, dtype=float, device=device) for device in ("cpu", DEVICE))
    for out in (here, there):
        warp.launch(draws, dim=COUNT, inputs=[42, out], device=out.device)
    assert numpy.array_equal(here.numpy(), there.numpy())


def test_arrays_are_filled_copied_and_cut():
    x = warp.full((20, 30), 7.0, dtype=float, device=DEVICE)
    x[3:5, ::2].fill_(1.0)
    expected = numpy.full((20, 30), 7, dtype=numpy.float32)
    expected[3:5, ::2] = 1
    assert numpy.array_equal(x.numpy(), expected)
    assert numpy.array_equal(warp.clone(x).numpy(), expected)
    assert numpy.array_equal(x[:, 3].numpy(), expected[:, 3])
    back = warp.empty_like(x, device="cpu", pinned=True)
    warp.copy(back, x)
    warp.synchronize_device(DEVICE)
    assert numpy.array_equal(back.numpy(), expected)


def test_sums_sorting_and_scans():
    data = numpy.random.default_rng(3).integers(0, 1000, COUNT, dtype=numpy.int32)
    x = on_device(data)
    out = warp.zeros(COUNT, dtype=int, device=DEVICE)
    warp.utils.array_scan(x, out, inclusive=True)
    assert numpy.array_equal(out.numpy(), numpy.cumsum(data))
    assert warp.utils.array_sum(on_device(numbers())) == pytest.approx(float(numbers().sum()), rel=1e-5)
    keys, values = warp.zeros(2 * COUNT, dtype=int, device=DEVICE), warp.zeros(2 * COUNT, dtype=int, device=DEVICE)
    warp.copy(keys, x, count=COUNT)
    warp.copy(values, on_device(numpy.arange(COUNT, dtype=numpy.int32)), count=COUNT)
    warp.utils.radix_sort_pairs(keys, values, COUNT)
    assert numpy.array_equal(keys.numpy()[:COUNT], numpy.sort(data))
    assert numpy.array_equal(values.numpy()[:COUNT], numpy.argsort(data, kind="stable"))


def test_streams_and_events():
    x = on_device(numbers())
    one, two = warp.Stream(DEVICE), warp.Stream(DEVICE)
    with warp.ScopedStream(one):
        warp.launch(twice, dim=COUNT, inputs=[x])
        event = one.record_event()
    two.wait_event(event)
    warp.launch(twice, dim=COUNT, inputs=[x], stream=two)
    warp.synchronize_stream(two)
    assert numpy.array_equal(x.numpy(), 4 * numbers())


def test_graphs():
    x = on_device(numbers())
    warp.load_module(device=DEVICE)
    with warp.ScopedCapture(device=DEVICE) as capture:
        for _ in range(3):
            warp.launch(twice, dim=COUNT, inputs=[x], device=DEVICE)
    for _ in range(2):
        warp.capture_launch(capture.graph)
    assert numpy.array_equal(x.numpy(), 64 * numbers())


def test_hash_grids():
    points = numbers(600).reshape(200, 3)
    grid = warp.HashGrid(16, 16, 16, device=DEVICE)
    there, counts = on_device(points, dtype=warp.vec3), warp.zeros(200, dtype=int, device=DEVICE)
    grid.build(there, 0.2)
    warp.launch(neighbours, dim=200, inputs=[grid.id, there, 0.2, counts], device=DEVICE)
    distances = numpy.linalg.norm(points[:, None] - points[None], axis=2)
    assert numpy.array_equal(counts.numpy(), (distances <= 0.2).sum(axis=1))


def test_meshes():
    corners = on_device([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=warp.vec3)
    mesh = warp.Mesh(corners, on_device([0, 1, 2, 1, 3, 2], dtype=int))
    points = on_device([[0.3, 0.3, 2], [0.8, 0.9, -3], [2, 0.5, 0]], dtype=warp.vec3)
    distances = warp.zeros(3, dtype=float, device=DEVICE)
    warp.launch(nearest, dim=3, inputs=[mesh.id, points, distances], device=DEVICE)
    assert numpy.allclose(distances.numpy(), [2, 3, 1], atol=1e-5)


def test_tiles():
    x = numbers(64 * 8).reshape(8, 64)
    out = warp.zeros(8, dtype=float, device=DEVICE)
    warp.launch_tiled(sums, dim=[8], inputs=[on_device(x), out], block_dim=64, device=DEVICE)
    assert numpy.allclose(out.numpy(), x.sum(axis=1), rtol=1e-5)


def test_too_much_memory_is_told():
    with pytest.raises(RuntimeError):
        warp.zeros((1 << 20, 1 << 24), dtype=warp.uint8, device=DEVICE)
    assert warp.zeros(10, dtype=int, device=DEVICE).numpy().sum() == 0
