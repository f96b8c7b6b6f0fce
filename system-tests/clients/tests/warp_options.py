"""Warp's own tests are methods; functions beside them are what those are made of, as a plugin of pytest."""


def pytest_collection_modifyitems(items):
    items[:] = [each for each in items if each.cls is not None or "warp_test" in each.nodeid]
