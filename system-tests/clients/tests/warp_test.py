"""Warp: its library is stripped and has the CUDA runtime inside, so it sees the device, and its kernels cannot run. It must say so once."""

import numpy
import pytest
import warp


@warp.kernel
def twice(x: warp.array(dtype=float)):
    i = warp.tid()
    x[i] = 2.0 * x[i]


def test_it_sees_the_device():
    device = warp.get_device("cuda:0")
    assert device.arch == 89
    assert device.total_memory > 0


def test_a_kernel_runs_or_says_why_not_once(capfd):
    for _ in range(2):
        with pytest.raises(RuntimeError):
            x = warp.array(numpy.arange(10), dtype=float, device="cuda:0")
            warp.launch(twice, dim=10, inputs=[x], device="cuda:0")
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("facet: warp.so")]
    assert len(told) == 1
    assert "cannot run on this device" in told[0]
