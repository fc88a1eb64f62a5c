"""Cells of a publication's tables, as Markdown; of its figures, as plots."""


def cells_of(report):
    for _, benchmark in sorted(report["benchmarks"].items()):
        for r in benchmark if isinstance(benchmark, list) else benchmark["results"]:
            if "table" in r:
                yield r


def in_order(items):
    return list(dict.fromkeys(items))


def by_title(reports):
    """Titles, each with its cells, in the order in which the benchmarks have them."""
    tables = {}
    for report in reports:
        for cell in cells_of(report):
            tables.setdefault(cell["table"], []).append(cell)
    return tables


def rows(cells):
    """Rows and columns in the order in which the benchmark has them."""
    columns = in_order(c["column"] for c in cells)
    units = in_order(c["unit"] for c in cells if c["unit"])
    yield f"| {', '.join(units)} | " + " | ".join(columns) + " |"
    yield "|---" * (1 + len(columns)) + "|"
    found = {(c["row"], c["column"]): c for c in cells}
    for row in in_order(c["row"] for c in cells):
        texts = []
        for column in columns:
            cell = found.get((row, column))
            against = f" ({cell['against']:.2f})" if cell and cell["against"] else ""
            texts.append(f"{cell['value']:.4g}{against}" if cell else "")
        yield f"| {row} | " + " | ".join(texts) + " |"


def table(title, cells):
    yield from ("", f"## {title}", "")
    yield from rows(cells)


def machines(reports):
    for text in sorted(
        {f"{r['machine']['gpu']}; {' '.join(r['machine']['nvcc'])}" for r in reports}
    ):
        yield f"- {text}"


def plot(folder, name, axis, logarithmic, cells):
    """A line for each row; ImportError without matplotlib. Logarithmic: of "x" and "y"."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "colonnade", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for row in in_order(c["row"] for c in cells):
        points = [(float(c["column"]), c["value"]) for c in cells if c["row"] == row]
        axes.plot(*zip(*points), marker=".", linewidth=1.2, label=row)
    if "x" in logarithmic:
        axes.set_xscale("log", base=2)
    if "y" in logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(axis)
    axes.set_ylabel(cells[0]["unit"])
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    figure.tight_layout()
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    pyplot.close(figure)
