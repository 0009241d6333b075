"""Pictures as SVG and PNG, by matplotlib."""
import contextlib
import errno
import importlib
import math
import os
from typing import Any, List, Optional, Sequence, Tuple

from ._errors import InputOutput, NoSpace, Unavailable

# Okabe and Ito's colours, which colour-blind people tell apart, those of most contrast first.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#999999")
MARKERS = "osd^v*xP"
LABEL_CHARACTERS = 34  # longer ones are cut off
MOST_WHOLE_STEPS = 24
_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "tauler", "font.family": "sans-serif", "font.size": 10.5,
             "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#444444", "axes.axisbelow": True,
             "text.parse_math": False}


def pyplot() -> Any:
    """matplotlib without a window; Unavailable where it is missing."""
    try:
        matplotlib = importlib.import_module("matplotlib")
        matplotlib.use("Agg")
        found = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise Unavailable("pictures are drawn by matplotlib, which is missing; install it (Debian: python3-matplotlib)") from None
    matplotlib.rcParams.update(_SETTINGS)
    return found


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


class Picture:
    """What is drawn: the kind, numbers along the x axis or labels, and series of numbers, NaN where there is none."""

    def __init__(self, title: str, kind: str, x: Sequence[float], labels: Optional[Sequence[str]],
                 series: Sequence[Tuple[str, Sequence[float]]], x_label: str = "", y_label: str = "",
                 logarithmic: bool = False, colours: Optional[Sequence[Any]] = None) -> None:
        self.title, self.kind, self.x, self.x_label, self.y_label = title, kind, list(x), x_label, y_label
        self.logarithmic = logarithmic
        self.labels = list(labels) if labels is not None else None
        if kind == "stacked bars" and self.labels is None:
            self.labels = [f"{place:.10g}" for place in self.x]
        self.series = [(name, [value if self._seen(value) else math.nan for value in values]) for name, values in series]
        self.colours = list(colours or COLOURS[:len(self.series)])

    def _seen(self, value: float) -> bool:
        return math.isfinite(value) and (not self.logarithmic or value > 0)

    def is_empty(self) -> bool:
        return not any(math.isfinite(value) and (self.labels is not None or math.isfinite(place))
                       for _, values in self.series for place, value in zip(self.x, values))

    def draw(self, path: str) -> None:
        """Draws a file, which has its name when it is whole."""
        plt = pyplot()
        figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
        try:
            getattr(self, "_" + self.kind.replace(" ", "_"))(axes)
            self._label(axes)
            kind = path.rpartition(".")[2]
            figure.savefig(path + ".part", format=kind, dpi=100, metadata={"Date": None} if kind == "svg" else {})
            os.replace(path + ".part", path)
        except OSError as reason:
            with contextlib.suppress(OSError):
                os.remove(path + ".part")
            full = reason.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
            raise (NoSpace if full else InputOutput)(f"{path} cannot be written: {reason.strerror}") from None
        finally:
            plt.close(figure)

    def _places(self) -> List[float]:
        return self.x if self.labels is None else [float(i) for i in range(len(self.x))]

    def _lines(self, axes: Any) -> None:
        for i, (name, values) in enumerate(self.series):
            axes.plot(self._places(), values, label=_clean(name), color=self.colours[i], marker=MARKERS[i], markersize=4,
                      linewidth=1.6)

    def _step(self) -> float:
        places = sorted({place for place in self._places() if math.isfinite(place)})
        return min((after - before for before, after in zip(places, places[1:])), default=1.0)

    def _bars(self, axes: Any) -> None:
        width = 0.8 * self._step() / len(self.series)
        for i, (name, values) in enumerate(self.series):
            shift = width * (i - (len(self.series) - 1) / 2)
            axes.bar([place + shift for place in self._places()], values, width, label=_clean(name), color=self.colours[i])

    def _stacked_bars(self, axes: Any) -> None:
        bottom = [0.0] * len(self.x)
        for i, (name, values) in enumerate(self.series):
            heights = [value if math.isfinite(value) else 0.0 for value in values]
            axes.bar(self._places(), heights, 0.7, bottom, label=_clean(name), color=self.colours[i])
            bottom = [low + high for low, high in zip(bottom, heights)]
        if abs(max(bottom, default=0) - 100) < 0.5:
            axes.set_ylim(0, 100)
            axes.axhline(50, color="#444444", linewidth=0.8, linestyle="--")

    def _label(self, axes: Any) -> None:
        axes.set_title(_clean(self.title), fontsize=9 if len(self.title) > 85 else 12, wrap=True)
        axes.set_xlabel(_clean(self.x_label))
        axes.set_ylabel(_clean(self.y_label or (self.series[0][0] if len(self.series) == 1 else "")))
        axes.grid(axis="y", color="#dddddd", linewidth=0.8)
        if self.logarithmic:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:.10g}")  # by itself it would be mathematics
        elif self.kind != "lines" or all(value >= 0 for _, values in self.series for value in values if value == value):
            low, high = axes.get_ylim()
            axes.set_ylim(min(low, 0) if low < 0 else 0, max(high, 0))
        if self.labels is not None:
            every = 1 + len(self.labels) // 50
            cut = [one if len(one) <= LABEL_CHARACTERS else one[:LABEL_CHARACTERS] + "…" for one in self.labels]
            slanted = sum(len(one) + 1 for one in cut[::every]) > 95
            axes.set_xticks(range(0, len(cut), every), [_clean(one) for one in cut[::every]],
                            rotation=35 if slanted else 0, ha="right" if slanted else "center", rotation_mode="anchor")
        elif all(place == int(place) for place in self.x if math.isfinite(place)) and \
                max(self.x) - min(self.x) <= MOST_WHOLE_STEPS:
            axes.set_xticks(range(int(min(self.x)), int(max(self.x)) + 1))
        if len(self.series) > 1:
            beside = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if self.kind == "stacked bars" else {}
            axes.legend(frameon=False, **beside)
