"""PyCUDA that was built without cuRAND asks for cuRAND's version all the same, as a plugin of pytest: there is none."""

import pycuda._driver

if not hasattr(pycuda._driver, "get_curand_version"):
    pycuda._driver.get_curand_version = lambda: (0, 0, 0)
