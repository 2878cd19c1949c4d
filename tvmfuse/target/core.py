"""What one core is, and what code generation reckons with.

Two kinds of numbers. `Core` holds facts: vendors and measurements of single instructions agree on
them. `Tuning` holds parameters of the reckoning: they were chosen because kernels run fastest with
them, and may differ from the fact beside them, as the share of a cache that blocking may fill does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

KIB: Final = 1 << 10
MIB: Final = 1 << 20


@dataclass(frozen=True)
class Core:
    """The facts of one core.

    The defaults are what CPUs with AVX2 have in common, and the smallest of their caches (Agner
    Fog, "Instruction tables"; uops.info). Other sources stand beside each machine
    (`tvmfuse.target.machine`).

    Attributes:
        fmas_per_cycle: Multiply-adds of whole vectors that start in one cycle.
        loads_per_cycle: Loads of whole vectors that start in one cycle.
        decode_width: Instructions that the decoders deliver in one cycle to one thread.
        fma_latency: Cycles from a multiply-add to the next one on the same accumulator.
        line_bytes: Of a line of the caches, in bytes.
        l1_bytes: Size of the first-level data cache, in bytes.
        l2_bytes: Size of the second-level cache, in bytes.
        l3_bytes: A core's share of the last-level cache, in bytes.
    """

    fmas_per_cycle: int = 2
    loads_per_cycle: int = 2
    decode_width: int = 4
    fma_latency: int = 4
    line_bytes: int = 64
    l1_bytes: int = 32 * KIB
    l2_bytes: int = 256 * KIB
    l3_bytes: int = 2 * MIB


@dataclass(frozen=True)
class Tuning:
    """The parameters of the reckoning, measured on Zen 3 unless it is said otherwise.

    Attributes:
        fmas_per_cycle: Multiply-adds that start in one cycle, as register tiles are ranked.
        loads_per_cycle: Loads that start in one cycle, as register tiles are ranked.
        tile_blocks: Blocks of channels that a register tile may have side by side, at most.
        fma_latency: Cycles between two multiply-adds on one accumulator, as register tiles are
            ranked.
        decoded_per_cycle: Instructions that a core decodes in one cycle while another thread shares
            it (docs/decisions/0022-k-unrolling.md).
        l1_budget: Bytes of the first-level data cache that blocking may reckon with.
        l2_budget: Bytes of the second-level cache that blocking may reckon with.
        l3_budget: Bytes of the last-level cache that blocking may reckon with.
        panel_budget: Bytes of a panel that tiles read from the second-level cache, at most; the sum
            of a larger one comes in blocks (bench/results/2026-11-30-emerald-rapids.md).
        l2_byte_cost: Cost of a byte that comes from the second-level cache; the unit.
        l3_byte_cost: Cost of a byte from the last-level cache, in bytes from the second.
        memory_byte_cost: Cost of a byte from memory, in bytes from the second-level cache.
        weight_bytes_per_cycle: Bytes of weights that arrive in a cycle from beyond the second-level
            cache (bench/results/2026-11-21-winograd.md, 2026-11-30-emerald-rapids.md).
        winograd_2x2_cycles: Cycles to transform a tile of 2 x 2 outputs, in and out, for one vector
            of channels (bench/results/2026-11-21-winograd.md).
        winograd_4x4_cycles: Cycles for a tile of 4 x 4 outputs, likewise.
        winograd_tiles: Tiles that Winograd transforms and multiplies at a time, at most: eight
            register tiles of six rows use each weight.
        k_unroll: Steps of a sum in one body of the innermost loop, while that has at most
            `max_fmas_per_body`. More steps gain nothing (docs/decisions/0022-k-unrolling.md).
        max_fmas_per_body: Vector multiply-adds of one body. In longer ones LLVM loads so far ahead
            that accumulators are spilled (docs/decisions/0022-k-unrolling.md).
        long_sum: Steps from which on the steps of one block of channels are one body. As a loop
            that ends after four bodies, again and again, 1x1 convolutions of 512 and 1024 channels
            take 1.1 of the time; those of 64 and 128 take 0.95, as do Winograd's.
        long_sum_block: Channels of a block for which that was measured.
        short_sum: Steps of a sum with a short last axis up to which no body of code is written out:
            LLVM makes one of all of them (bench/results/2026-11-30-tuning.md).
        depthwise_lines: Lines of a depthwise convolution's tile, at most
            (bench/results/2026-11-30-tuning.md).
        depthwise_strided_lines: The same of one with a stride.
        prefetch_steps: Steps of a sum between two requests for the next panel: a line of a row of
            float32 has so many (bench/results/2026-11-21-requests.md).
        parallel_operations: Operations, vector operations where a nest is vectorized, from which on
            it runs in threads. A pool of threads takes about 5 us to hand out a loop and to wait
            for the last worker; two threads save half of the time, so they gain from 10 us on, at
            3 GHz and one operation in each cycle.
        attention_rows: Queries whose scores are computed at a time, at most.
        channel_blocks: Channels of a block in the NCHWc layout, the best first; the last one
            decides which convolutions move into blocks. 16 floats are one AVX-512 register or two
            of AVX2; 24 and 40 are three and five of AVX2, which a register tile holds beside each
            other. A block of 8 leaves all but one of them empty
            (docs/decisions/0019-blocks-and-panels.md).
        nchwc_flop_per_cycle: Operations for which a convolution on blocks gains one cycle: an AVX2
            core does 32 in a cycle, and on plain tensors about two thirds as many.
        reorder_cycles: Cycles for each element that a change of the layout moves.
        strided_gain: Share of the multiply-adds' cycles that ragged tiles have to cost for a copy
            of strided pixels to pay.
        reads_strided: Times that each of those pixels must be read for that.
        reads_apart: Times that an element must be read for a copy of columns that lie apart to pay.
            They are gathered anyhow, once for the copy or at each of several reads.
        reads_transposed: Likewise of a transposed operand. Its columns are contiguous the other
            way, which a few dot products make better use of.
        tiles_per_panel: Tiles that must read a panel for blocks of K to keep it in a cache.
        tiles_per_copy: Tiles that must read a panel for a copy of it to pay.
    """

    fmas_per_cycle: int = 2
    loads_per_cycle: int = 2
    tile_blocks: int = 1
    fma_latency: int = 4
    decoded_per_cycle: int = 3
    l1_budget: int = 32 * KIB
    l2_budget: int = 256 * KIB
    l3_budget: int = 2 * MIB
    panel_budget: int = 512 * KIB
    l2_byte_cost: int = 1
    l3_byte_cost: int = 4
    memory_byte_cost: int = 12
    weight_bytes_per_cycle: int = 8
    winograd_2x2_cycles: int = 130
    winograd_4x4_cycles: int = 350
    winograd_tiles: int = 48
    k_unroll: int = 4
    max_fmas_per_body: int = 48
    long_sum: int = 512
    long_sum_block: int = 16
    short_sum: int = 32
    depthwise_lines: int = 8
    depthwise_strided_lines: int = 3
    prefetch_steps: int = 16
    parallel_operations: int = 30_000
    attention_rows: int = 48
    channel_blocks: tuple[int, ...] = (16, 24, 40, 8)
    nchwc_flop_per_cycle: int = 64
    reorder_cycles: int = 2
    strided_gain: float = 0.04
    reads_strided: int = 4
    reads_apart: float = 1.5
    reads_transposed: int = 8
    tiles_per_panel: int = 4
    tiles_per_copy: int = 8

    @property
    def fmas_in_flight(self) -> int:
        """Accumulators that it takes for a multiply-add to start whenever one can."""
        return self.fmas_per_cycle * self.fma_latency


def describe(facts: Mapping[str, Any]) -> str:
    """Return the line that tells a machine: its name, its vectors and its caches.

    Args:
        facts: `Machine.to_json` of it, which a manifest and a record of a measurement hold.

    >>> describe({"name": "zen3", "isa": "avx2", "l1_bytes": 32768, "l2_bytes": 524288})
    'zen3, avx2, L1d 32 KiB, L2 512 KiB'
    >>> describe({"name": "avx512", "isa": "avx512"})
    'avx512'
    """
    levels = {"L1d": "l1_bytes", "L2": "l2_bytes", "L3 share": "l3_bytes"}
    caches = [f"{n} {facts[key] // KIB} KiB" for n, key in levels.items() if key in facts]
    return ", ".join(dict.fromkeys([facts["name"], facts["isa"], *caches]))
