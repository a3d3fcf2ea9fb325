# Makes python.safetensors, which the tests read: pip install safetensors==0.8.0 numpy==2.4.6 ml_dtypes && python python-file.py
import ml_dtypes
import numpy
from safetensors.numpy import save_file

save_file({
    "f32": numpy.array([[1, -2.5, 1e-45], [numpy.inf, -0.0, 3.4028235e38]], "float32"),
    "f16": numpy.array([1.0009765625, -65504, 6e-8], "float16"),
    "bf16": numpy.array([[1], [-3.140625]], ml_dtypes.bfloat16),
    "f64": numpy.array(0.1, "float64"),
    "mask": numpy.array([True, False, True]),
    "empty": numpy.zeros((0, 4), "float32"),
}, "python.safetensors", {"written by": "Python", "größe": "∞"})
