# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that the benchmarks of generated code run, and how each is called.

In: nothing. Out: FUNCTIONS by name, and the call that bench/sequential.cpp makes of one.
"""
from typing import NamedTuple


class Function(NamedTuple):
    """source: from the tree's root. inputs: what bench/inputs.hpp fills cells with. passed: a
    letter for each argument, p pointer or reference, v value with a cell for each instance, s
    scalar; "=" first if it returns a value. scalar: the first scalar's name and value where it is
    not n."""
    source: str
    inputs: str
    passed: str
    scalar: tuple[str, int] | None = None


FUNCTIONS = {
    "prefix_sums": Function("examples/prefix_sums/prefix_sums.cpp", "signed", "ps"),
    "triangulate": Function("examples/polygon_triangulation/polygon_triangulation.cpp", "signed",
                            "pps"),
    "bitonic_sort": Function("examples/bitonic_sort/bitonic_sort.cpp", "signed", "ps"),
    "floyd_warshall": Function("examples/floyd_warshall/floyd_warshall.cpp", "signed", "ps"),
    "montgomery_multiply": Function("examples/montgomery/montgomery.cpp", "signed", "pppsp",
                                    ("modulus_inverse", 0x87654321)),
    "escape_time": Function("examples/mandelbrot/mandelbrot.cpp", "signed", "=vvs", ("limit", 256)),
    "sharpen": Function("examples/sharpen/sharpen.cpp", "signed", "pps", ("strength", 8)),
    "power_spectrum": Function("examples/spectrogram/power_spectrum.cpp", "signed", "ppppp"),
    "matrix_product": Function("bench/jobs/matrix_product.cpp", "signed", "ppps"),
    "cholesky": Function("bench/jobs/cholesky.cpp", "dominant", "ps"),
    "tridiagonal": Function("bench/jobs/tridiagonal.cpp", "positive", "pppps"),
    "fft": Function("bench/jobs/transforms.cpp", "signed", "pppps"),
    "chacha20": Function("bench/jobs/stream_ciphers.cpp", "signed", "ppp"),
    "edit_distance": Function("bench/jobs/alignments.cpp", "signed", "=pps"),
    "local_score": Function("bench/jobs/alignments.cpp", "signed", "=pps"),
    "solve_three": Function("bench/jobs/linear_systems.cpp", "positive", "ppp"),
    "sha256": Function("bench/jobs/hashes.cpp", "signed", "pp"),
    "black_scholes": Function("bench/jobs/option_prices.cpp", "positive", "=vvv"),
    "eigenvalues": Function("bench/jobs/eigenvalues.cpp", "positive", "pp"),
    "cosine_transform": Function("bench/jobs/transforms.cpp", "signed", "pp"),
    "smooth_bytes": Function("bench/jobs/smooth_bytes.cpp", "signed", "pps"),
    "salsa20_core": Function("bench/jobs/stream_ciphers.cpp", "signed", "pp"),
    "siphash": Function("bench/jobs/hashes.cpp", "signed", "=pp"),
    "adler32": Function("bench/jobs/hashes.cpp", "signed", "=ps"),
    "jacobi_sweeps": Function("bench/jobs/stencils.cpp", "signed", "pps"),
    "seidel_sweeps": Function("bench/jobs/stencils.cpp", "signed", "ps"),
    "field_step": Function("bench/jobs/stencils.cpp", "signed", "ppps"),
    "forward_substitution": Function("bench/jobs/linear_systems.cpp", "positive", "ppps"),
    "durbin": Function("bench/jobs/linear_systems.cpp", "positive", "pp"),
    "predict": Function("bench/jobs/linear_systems.cpp", "signed", "pppp"),
    "fir": Function("bench/jobs/filters.cpp", "signed", "ppp"),
    "biquads": Function("bench/jobs/filters.cpp", "positive", "pp"),
    "largest": Function("bench/jobs/filters.cpp", "signed", "=pp"),
    "field_inverse": Function("bench/jobs/finite_fields.cpp", "signed", "=v"),
    "binomial_samples": Function("bench/jobs/finite_fields.cpp", "signed", "pp"),
    "swap_layer": Function("bench/jobs/finite_fields.cpp", "signed", "pp"),
    "tags_differ": Function("bench/jobs/finite_fields.cpp", "signed", "=pp"),
    "fixed_polynomial": Function("bench/jobs/fixed_point.cpp", "signed", "=pv"),
    "long_sum": Function("bench/jobs/fixed_point.cpp", "signed", "=ppp"),
    "common_subsequence": Function("bench/jobs/alignments.cpp", "signed", "=pp"),
    "cholesky_double": Function("bench/jobs/other_cells.cpp", "dominant", "ps"),
    "prefix_sums_double": Function("bench/jobs/other_cells.cpp", "signed", "ps"),
    "matrix_product_long": Function("bench/jobs/other_cells.cpp", "signed", "ppps"),
    "smooth_short": Function("bench/jobs/other_cells.cpp", "signed", "pps"),
}


def scalars_of(function, n):
    """Those that a run is given; what the function does not take is ignored."""
    _, value = FUNCTIONS[function].scalar or ("n", n or 0)
    return [value]


def argument_options(function):
    """Of `colonnade cost`."""
    scalar = FUNCTIONS[function].scalar
    return ["--arg", f"{scalar[0]}={scalar[1]}"] if scalar else []


def size_options(n):
    return ["--size", f"n={n}"] if n else []


def sequential_flags(function):
    """Macros of bench/sequential.cpp: the source, which is found from the tree's root; the call,
    and the array of its result."""
    source, _, passed, _ = FUNCTIONS[function]
    arrays = scalars = 0
    arguments = []
    for kind in passed.lstrip("="):
        if kind == "s":
            arguments.append(f"SCALAR({scalars})")
            scalars += 1
        else:
            arguments.append(f"{'ARRAY' if kind == 'p' else 'VALUE'}({arrays})")
            arrays += 1
    result = [f"-DRESULT={arrays}"] if passed.startswith("=") else []
    return [f'-DSOURCE="{source}"', f"-DCALL={function}({', '.join(arguments)})", *result]
