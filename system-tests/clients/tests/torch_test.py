"""torch: it sees its slice, and runs what it does not need the vendor's libraries for."""

import pytest
import torch

X = torch.arange(1, 1001, dtype=torch.float32) / 1000


@pytest.fixture
def x():
    return X.cuda()


def test_the_device_has_its_memory():
    assert torch.cuda.is_available()
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total
    assert torch.cuda.get_device_properties(0).total_memory == total
    assert torch.cuda.get_device_capability(0) == (12, 0)


@pytest.mark.parametrize("name", "sin cos exp log sqrt rsqrt tanh sigmoid relu erf abs neg floor round sign reciprocal".split())
def test_functions_of_one(name, x):
    assert torch.allclose(getattr(torch, name)(x).cpu(), getattr(torch, name)(X), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", "add sub mul div maximum minimum pow atan2 fmod eq lt".split())
def test_functions_of_two(name, x):
    y = torch.flip(X, [0])
    assert torch.allclose(getattr(torch, name)(x, y.cuda()).cpu(), getattr(torch, name)(X, y), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    "kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]
)
def test_every_kind(kind):
    here = torch.arange(100).to(kind)
    assert torch.equal((here.cuda() * here.cuda()).cpu(), here * here)


@pytest.mark.parametrize("name", "sum mean max min prod argmax std norm cumsum".split())
def test_reductions(name):
    here = torch.rand(40, 30, generator=torch.Generator().manual_seed(7))
    arguments = {"dim": 1} if name in ("argmax", "cumsum") else {}
    assert torch.allclose(getattr(torch, name)(here.cuda(), **arguments).cpu(), getattr(torch, name)(here, **arguments))


def test_indexing_and_broadcasting():
    here = torch.arange(120.0).reshape(4, 5, 6)
    there = here.cuda()
    assert torch.equal(there[:, ::2, 1:].cpu(), here[:, ::2, 1:])
    assert torch.equal(there[there > 50].cpu(), here[here > 50])
    assert torch.equal(there.permute(2, 0, 1).contiguous().cpu(), here.permute(2, 0, 1))
    assert torch.equal(torch.cat([there, there], 2).cpu(), torch.cat([here, here], 2))
    assert torch.equal((there + torch.arange(6.0).cuda()).cpu(), here + torch.arange(6.0))
    assert torch.equal(torch.where(there > 50, there, -there).cpu(), torch.where(here > 50, here, -here))


def test_sorting():
    here = torch.rand(5000, generator=torch.Generator().manual_seed(7))
    assert torch.equal(torch.sort(here.cuda()).values.cpu(), torch.sort(here).values)


def test_random_numbers():
    torch.manual_seed(1)
    drawn = torch.rand(100000, device="cuda")
    assert 0.49 < drawn.mean().item() < 0.51


def test_gradients(x):
    x.requires_grad_()
    (x.sin() * x).sum().backward()
    assert torch.allclose(x.grad.cpu(), X.cos() * X + X.sin(), atol=1e-5)


def test_softmax_and_loss():
    here = torch.rand(8, 10, generator=torch.Generator().manual_seed(7))
    target = torch.arange(8)
    assert torch.allclose(torch.softmax(here.cuda(), 1).cpu(), torch.softmax(here, 1), atol=1e-6)
    loss = torch.nn.functional.cross_entropy
    assert torch.allclose(loss(here.cuda(), target.cuda()).cpu(), loss(here, target), atol=1e-5)


def test_layers():
    here = torch.rand(4, 8, generator=torch.Generator().manual_seed(7))
    assert torch.allclose(torch.nn.functional.layer_norm(here.cuda(), (8,)).cpu(), torch.nn.functional.layer_norm(here, (8,)), atol=1e-5)
    assert torch.equal(torch.nn.functional.embedding(torch.arange(4).cuda(), here.cuda()).cpu(), here)
    square = here.reshape(1, 1, 4, 8)
    assert torch.equal(torch.nn.functional.max_pool2d(square.cuda(), 2).cpu(), torch.nn.functional.max_pool2d(square, 2))


def test_an_optimizer_step():
    weight = torch.ones(100, device="cuda", requires_grad=True)
    optimizer = torch.optim.Adam([weight], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        (weight * weight).sum().backward()
        optimizer.step()
    assert (weight < 0.8).all().item()


def test_streams_and_events(x):
    stream = torch.cuda.Stream()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        begin.record()
        y = x * 2
        end.record()
    end.synchronize()
    assert begin.elapsed_time(end) >= 0
    assert torch.equal(y.cpu(), X * 2)


def test_graphs(x):
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    x * 2
    with torch.cuda.graph(graph):
        y = x * 2
    x.fill_(21)
    graph.replay()
    assert (y.cpu() == 42).all()


def test_pinned_memory():
    pinned = X.pin_memory()
    assert pinned.is_pinned()
    assert torch.equal(pinned.to("cuda", non_blocking=True).cpu(), X)


def test_out_of_memory_is_told_as_such():
    with pytest.raises(torch.cuda.OutOfMemoryError):
        torch.empty(1 << 50, dtype=torch.uint8, device="cuda")


def test_kernels_compiled_as_the_program_runs(x):
    twice = torch.cuda.jiterator._create_jit_fn("template <typename T> T twice(T x) { return x + x; }")
    assert torch.equal(twice(x).cpu(), X + X)


def test_matrices_say_what_cannot_run(capfd):
    for _ in range(2):
        with pytest.raises(RuntimeError):
            torch.ones(4, 4, device="cuda") @ torch.ones(4, 4, device="cuda")
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("facet: libcublas")]
    assert len(told) == 1
