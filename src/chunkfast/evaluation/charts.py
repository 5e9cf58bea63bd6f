"""Charts as SVG: text in the page's colour, series in its classes `c0`, `c1`, ..., so that they suit light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

COLOURS = 8  # classes in report.html
WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 22, 46


@dataclass(frozen=True)
class Line:
    """Points in order of x; `labels` says what each one is, `knee` which one is marked."""

    name: str
    colour: int
    points: Sequence[tuple[float, float]]
    labels: Sequence[str] = ()
    knee: int | None = None
    dashed: bool = False
    low_high: Sequence[tuple[float, float]] = ()


def bars(
    groups: Sequence[str],
    names: Sequence[str],
    values: Sequence[Sequence[float]],
    intervals: Sequence[Sequence[tuple[float, float]]],
) -> str:
    """Shares by group, a bar a name with its interval; `values[group][name]`."""
    width = max(WIDTH, LEFT + RIGHT + len(groups) * (len(names) * 20 + 30))
    room = (width - LEFT - RIGHT) / max(1, len(groups))
    bar = min(34.0, (room - 24) / max(1, len(names)))

    base = HEIGHT - 26

    def y(share: float) -> float:
        return TOP + (1 - share) * (base - TOP)

    parts = [*_y_axis(width, base, [i / 5 for i in range(6)], y, "{:.1f}")]
    for g, group in enumerate(groups):
        start = LEFT + g * room + (room - bar * len(names)) / 2
        for n, name in enumerate(names):
            share, (low, high) = values[g][n], intervals[g][n]
            x, middle = start + n * bar, start + n * bar + bar / 2
            tip = f"{name}, {group}: {share:.3f} (95 %: {low:.2f} to {high:.2f})"
            parts.append(
                f'<g><title>{escape(tip)}</title><rect class="c{n % COLOURS}" x="{x + 1:.1f}" y="{y(share):.1f}" '
                f'width="{bar - 2:.1f}" height="{base - y(share):.1f}"/>'
                f'<path class="whisker" d="M{middle:.1f} {y(low):.1f}V{y(high):.1f}"/></g>'
            )
        parts.append(_text(LEFT + (g + 0.5) * room, base + 18, group, "middle"))
    return _svg(width, HEIGHT, parts)


def curves(
    lines: Sequence[Line], x_label: str, ticks: Sequence[tuple[float, str]] | None = None, height: int = HEIGHT
) -> str:
    """Lines through points, of shares on the y axis; without `ticks` the x axis is numeric."""
    xs = [x for line in lines for x, _ in line.points] or [0.0, 1.0]
    ys = [y for line in lines for _, y in line.points] + [y for line in lines for ends in line.low_high for y in ends]
    wide = 2 if max(ys, default=1) - min(ys, default=0) > 0.5 else 1  # tenths from line to line
    bottom = floor(min(ys, default=0) * 10 / wide) * wide / 10
    top = max(ceil(max(ys, default=1) * 10 / wide - 1e-9) * wide / 10, bottom + wide / 10)
    if ticks is None:
        steps = _steps(min(xs), max(xs))
        ticks = [(value, f"{value:,.10g}") for value in steps]
    low, high = min(xs[0], *xs, ticks[0][0]), max(xs[0], *xs, ticks[-1][0])
    margin = (high - low or 1) * 0.03

    def x_of(value: float) -> float:
        return LEFT + (value - low + margin) / (high - low + 2 * margin or 1) * (WIDTH - LEFT - RIGHT)

    def y_of(value: float) -> float:
        return TOP + (top - value) / (top - bottom) * (height - TOP - BOTTOM)

    shares = [bottom + i * wide / 10 for i in range(round((top - bottom) * 10 / wide) + 1)]
    parts = [*_y_axis(WIDTH, height - BOTTOM, shares, y_of, "{:.1f}")]
    for value, label in ticks:
        parts.append(_text(x_of(value), height - BOTTOM + 16, label, "middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, height - 8, x_label, "middle", "label"))
    for line in lines:
        parts += _line(line, x_of, y_of)
    points = [(x_of(x), y_of(y)) for line in lines for x, y in line.points]
    parts += _labels(points, [label for line in lines for label in line.labels or [""] * len(line.points)])
    return _svg(WIDTH, height, parts)


def columns(values: Sequence[float], labels: Sequence[str], height: int = 90) -> str:
    """Bars from zero, one a label, with their value above; to stand below curves over the same labels."""
    most = max(values, default=1) or 1
    margin = 0.03 * max(1, len(values) - 1)
    parts = []
    for i, (value, label) in enumerate(zip(values, labels, strict=True)):
        x = LEFT + (i + margin) / (max(1, len(values) - 1) + 2 * margin) * (WIDTH - LEFT - RIGHT)
        size = value / most * (height - 40)
        parts.append(
            f'<rect class="storage" x="{x - 14:.1f}" y="{height - 20 - size:.1f}" width="28" height="{size:.1f}"/>'
        )
        parts.append(_text(x, height - 24 - size, f"{value:.2f}", "middle"))
        parts.append(_text(x, height - 5, label, "middle"))
    return _svg(WIDTH, height, parts)


def _line(line: Line, x_of: Callable[[float], float], y_of: Callable[[float], float]) -> Iterator[str]:
    places = [(x_of(x), y_of(y)) for x, y in line.points]
    kind = f"s{line.colour % COLOURS}" + (" dashed" if line.dashed else "")
    if len(places) > 1:
        yield f'<path class="line {kind}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in places)}"/>'
    for (x, _), (low, high) in zip(places, line.low_high, strict=False):
        yield f'<path class="line thin {kind}" d="M{x:.1f} {y_of(low):.1f}V{y_of(high):.1f}"/>'
    for i, (x, y) in enumerate(places):
        label = line.labels[i] if line.labels else f"{line.points[i][0]:,.4g}"
        tip = f"{line.name}, {label}: {line.points[i][1]:.3f}"
        ring = f'<circle class="knee" cx="{x:.1f}" cy="{y:.1f}" r="9"/>' if i == line.knee else ""
        yield (
            f"<g><title>{escape(tip)}{', knee' if ring else ''}</title>{ring}"
            f'<circle class="c{line.colour % COLOURS}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/></g>'
        )


def _labels(points: Sequence[tuple[float, float]], labels: Sequence[str]) -> Iterator[str]:
    """Labels beside their points where they hide neither each other nor another point; else none: the tip has it."""
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    for (x, y), label in zip(points, labels, strict=True):
        half = 3.5 * sum(2 if char > "\u2e7f" else 1 for char in label)
        for middle, base in ((x, y - 10), (x, y + 20), (x + half + 9, y + 4), (x - half - 9, y + 4)):
            box = middle - half, base - 10, middle + half, base + 2
            free = all(box[2] < a or c < box[0] or box[3] < b or d < box[1] for a, b, c, d in taken)
            if label and free and box[0] >= LEFT and box[2] <= WIDTH and box[1] >= 0:
                taken.append(box)
                yield _text(middle, base, label, "middle", "small")
                break


def _y_axis(
    width: float, bottom: float, values: Sequence[float], y: Callable[[float], float], form: str
) -> Iterator[str]:
    for value in values:
        yield f'<path class="grid" d="M{LEFT} {y(value):.1f}H{width - RIGHT}"/>'
        yield _text(LEFT - 7, y(value) + 4, form.format(value), "end")
    yield f'<path class="axis" d="M{LEFT} {bottom:.1f}H{width - RIGHT}"/>'


def _steps(low: float, high: float) -> list[float]:
    """Round values over a range, five to ten of them."""
    size = (high - low) / 6 or 0.1
    unit = 10.0 ** floor(log10(size))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= size)
    return [round(i * step, 10) for i in range(floor(low / step), ceil(high / step) + 1)]


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    least = min(width, WIDTH) * 0.8
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" style="min-width:{least:.0f}px;max-width:{width:.0f}px"'
    return f'<svg role="img" {size}>{"".join(parts)}</svg>'
