"""SQL for the jobs of a workload, in the dialects of two systems."""

from protocol import NotSupported
from workload import RETRACTS


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def columns(names):
    return ", ".join(map(quoted, names))


def alive(w):
    """The condition that a row is no retract, or nothing."""
    return f"{quoted(w.kind)} NOT IN ({', '.join(map(str, RETRACTS))})" if w.kind else ""


def where(condition):
    return f" WHERE {condition}" if condition else ""


def duckdb(w, order):
    """The statements for DuckDB by name; order is the column that rises with recency. The table is t."""
    everything, key = columns(w.columns), columns(w.key)
    order_by = f" ORDER BY {key}"
    if w.job in ("dedup", "first"):
        newest = w.job == "dedup"
        direction, function = ("DESC", "max") if newest else ("ASC", "min")
        inner = f"SELECT * FROM t QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY {order} {direction}) = 1"
        picks = ", ".join(f"arg_{function}_null({quoted(c)}, {order}) AS {quoted(c)}" for c in w.values + ([w.kind] if w.kind else []))
        return {
            "qualify": f"SELECT {everything} FROM ({inner}){where(alive(w))}{order_by}",
            f"arg_{function}_null": f"SELECT {everything} FROM (SELECT {key}, {picks} FROM t GROUP BY {key}){where(alive(w))}{order_by}",
            "join": f"SELECT {everything} FROM (SELECT t.* FROM t JOIN (SELECT {key}, {function}({order}) AS {order} FROM t GROUP BY {key}) "
                    f"USING ({key}, {order})){where(alive(w))}{order_by}",
            "distinct on": f"SELECT {everything} FROM (SELECT DISTINCT ON ({key}) * FROM t ORDER BY {key}, {order} {direction}){where(alive(w))}{order_by}",
        }
    if w.job == "partial":
        last = {
            "arg_max": lambda c: f"arg_max({c}, {order})",
            "last ignoring nulls": lambda c: f"last({c} ORDER BY {order}) FILTER (WHERE {c} IS NOT NULL)",
        }
        return {name: grouped(w, lambda c, f=f: f(quoted(c))) + order_by for name, f in last.items()}
    if w.job == "agg":
        return {"group by": grouped(w, lambda c: duckdb_function(w.functions[c], quoted(c), order)) + order_by}
    raise NotSupported(f"no statement for the job {w.job}")


def duckdb_function(function, c, order):
    if function == "sum":
        return f"sum({c})"
    if function in ("max", "min"):
        return f"{function}({c})"
    if function == "last_value":
        return f"arg_max_null({c}, {order})"
    raise NotSupported(f"no function {function}")


def grouped(w, pick):
    picks = ", ".join(f"{pick(c)} AS {quoted(c)}" for c in w.values)
    return f"SELECT {columns(w.key)}, {picks} FROM t GROUP BY {columns(w.key)}"


def datafusion(w, order):
    """The statements for DataFusion by name."""
    key = columns(w.key)
    order_by = f" ORDER BY {key}"
    if w.job in ("dedup", "first"):
        beside = "lead" if w.job == "dedup" else "lag"
        others = ", ".join(f"{beside}({quoted(c)}) OVER (ORDER BY {key}, {order}) AS other{i}" for i, c in enumerate(w.key))
        differs = " OR ".join(f"({quoted(c)} IS DISTINCT FROM other{i})" for i, c in enumerate(w.key))
        condition = f"({differs})" + (f" AND {alive(w)}" if w.kind else "")
        return {beside: f"SELECT {columns(w.columns)} FROM (SELECT *, {others} FROM t) WHERE {condition}{order_by}"}
    if w.job == "partial":
        return {"last_value": grouped(w, lambda c: f"last_value({quoted(c)} ORDER BY {order}) FILTER (WHERE {quoted(c)} IS NOT NULL)") + order_by}
    if w.job == "agg":
        return {"group by": grouped(w, lambda c: datafusion_function(w.functions[c], quoted(c), order)) + order_by}
    raise NotSupported(f"no statement for the job {w.job}")


def datafusion_function(function, c, order):
    if function in ("sum", "max", "min"):
        return f"{function}({c})"
    if function == "last_value":
        return f"last_value({c} ORDER BY {order})"
    raise NotSupported(f"no function {function}")
