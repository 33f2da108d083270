"""`brushpass models`: the minds there are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from brushpass.cli.options import usable_cores
from brushpass.cli.output import Json, Output, Quiet, Verbose, columns, share_bar

VALUE = "value"
"""What `build` makes of games instead of sources."""

app = typer.Typer(add_completion=False, help="The minds there are.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _models() -> None:
    pass


@app.command(name="list")
def list_models(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> None:
    """List the models with size, hash and ingredients. `models show` tells more."""
    from brushpass.semantics.catalog import list_minds

    out = Output(json, quiet, verbose)
    minds = list_minds()
    if json:
        keys = (
            "name",
            "words",
            "dim",
            "temperature",
            "ingredients",
            "licence",
            "source",
            "size",
            "sha256",
            "mind_sha256",
        )
        rows = [{key: getattr(mind, key) for key in keys} | {"path": str(mind.path)} for mind in minds]
        out.document({"schema": 1, "models": rows})
        return
    head = ("model", "words", "dim", "T", "MB", "sha256", "ingredients")
    out.lines(
        columns(
            head,
            (
                (
                    *(mind.name, mind.words, mind.dim, f"{mind.temperature:.3f}", f"{mind.size / 1e6:.1f}"),
                    *(mind.mind_sha256[:12], ", ".join(mind.ingredients)),
                )
                for mind in minds
            ),
        )
    )
    out.detail(f"source: {'; '.join(f'{mind.name} from {mind.source}' for mind in minds)}")


@app.command()
def show(
    model: Annotated[str, typer.Argument(help="A name, or a vector file.")],
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show what is known of a model. Also how much of the word lists it knows."""
    from brushpass.lexicon.vocabulary import load_vocabulary
    from brushpass.lexicon.wordlists import load_wordlist
    from brushpass.semantics.catalog import list_minds, load_mind

    out = Output(json, quiet, verbose)
    mind, vocabulary = load_mind(model), load_vocabulary()
    info = next((info for info in list_minds() if info.name == model), None)
    known = {
        "english": [mind.knows(word) for word in load_wordlist("english").words],
        vocabulary.name: [mind.knows(word) for word in vocabulary.words],
    }
    document: dict[str, Any] = {
        "name": mind.name,
        "words": len(mind.words),
        "dim": mind.space.dim,
        "precision": mind.space.precision,
        "temperature": mind.temperature,
        "ingredients": list(mind.ingredients),
        "licence": mind.licence,
        "source": mind.source,
        "built": info.built if info else "",
        "fit": info.fit if info else {},
        "sha256": info.sha256 if info else mind.sha256,
        "mind_sha256": mind.sha256,
        "path": str(info.path if info else Path(model).expanduser().resolve()),
        "first_words": list(mind.words[:10]),
        "knows": {name: {"words": len(words), "known": sum(words)} for name, words in known.items()},
    }
    if json:
        out.document({"schema": 1, "model": document})
        return
    told = {
        **document,
        "ingredients": ", ".join(mind.ingredients),
        "fit": info and _fitted(info.fit),
        "first_words": ", ".join(document["first_words"]),
        "knows": ", ".join(f"{part['known']} of {part['words']} of {name}" for name, part in document["knows"].items()),
    }
    out.lines(f"{key.replace('_', ' ')}: {value}" for key, value in told.items() if value)


def _fitted(fit: object) -> str:
    """On what a model was fitted, as far as its manifest tells in the form of our own recipes."""
    items = fit.get("items") if isinstance(fit, dict) else None
    return f"on {items} of people's guesses" if items else ""


@app.command()
def verify(
    models: Annotated[list[str] | None, typer.Argument(metavar="[MODEL…]", help="Names; all if none.")] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Compare models with the hashes in their manifests. Every byte is read; exit 1 if one is another."""
    from brushpass.errors import CorruptData, UnknownData
    from brushpass.registry import unknown
    from brushpass.semantics.catalog import list_minds, verify_mind

    out = Output(json, quiet, verbose)
    minds = {info.name: info for info in list_minds()}
    rows: list[dict[str, Any]] = []
    for name in models or minds:
        if name not in minds:
            raise unknown("model", name, minds, UnknownData)
        try:
            verify_mind(minds[name])
        except CorruptData as error:
            rows.append({"name": name, "ok": False, "sha256": minds[name].sha256, "error": str(error)})
        else:
            rows.append({"name": name, "ok": True, "sha256": minds[name].sha256, "error": None})
    if json:
        out.document({"schema": 1, "ok": all(row["ok"] for row in rows), "models": rows})
    else:
        out.lines(f"{row['name']}: {row['error'] or 'as its manifest says'}" for row in rows)
    if not all(row["ok"] for row in rows):
        raise typer.Exit(1)


@app.command(name="import")
def import_model(
    file: Annotated[Path, typer.Argument(help="word2vec, GloVe, fastText .vec, gensim .kv, or our own .npz.")],
    name: Annotated[str, typer.Option(metavar="M", help="What to call it.")],
    max_words: Annotated[int | None, typer.Option(min=1, metavar="N", help="The first N words only.")] = None,
    precision: Annotated[str, typer.Option(metavar="int8|float16", help="Of the numbers kept.")] = "int8",
    temperature: Annotated[float | None, typer.Option(metavar="T", help="Of its choices; 0.1 if none.")] = None,
    licence: Annotated[str | None, typer.Option(metavar="TEXT", help="Of the vectors.")] = None,
    ingredient: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="What they were made from, such as glove; repeatable.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of your model of that name.")] = False,
    trust_pickle: Annotated[
        bool, typer.Option("--trust-pickle", help="Open a .kv file, which can run code: only from who you trust.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Convert a vector file into a model with a name. It is kept in your data folder."""
    from typing import cast

    from brushpass import paths
    from brushpass.semantics.catalog import FOLDER
    from brushpass.semantics.importing import import_mind
    from brushpass.semantics.space import Precision

    out = Output(json, quiet, verbose)
    with share_bar("importing", shown=sys.stderr.isatty() and not quiet) as shown:
        info = import_mind(
            file,
            name,
            paths.own_data() / FOLDER,
            precision=cast("Precision", precision),
            temperature=temperature,
            licence=licence,
            ingredients=ingredient,
            max_words=max_words,
            trust_pickle=trust_pickle,
            replace=replace,
            on_progress=shown,
        )
    if json:
        row = {"name": info.name, "words": info.words, "dim": info.dim, "sha256": info.sha256, "size": info.size}
        out.document({"schema": 1, "model": row | {"temperature": info.temperature, "path": str(info.path)}})
    else:
        size = f"{info.size / 1e6:.1f} MB"
        out.lines([f"{info.name}: {info.words} words of {info.dim} numbers, {size}, written to {info.path}"])


@app.command(name="build")
def build_model(
    name: Annotated[str, typer.Argument(help="A shipped model, or value: its recipe is run again.")],
    source: Annotated[Path | None, typer.Option(metavar="PATH", help="What the recipe is made of.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the model and its manifest.")] = Path(
        "models"
    ),
    guesses: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="People's guesses to fit temperature or weights on; repeatable."),
    ] = None,
    refit: Annotated[
        bool, typer.Option("--refit", help="Keep the vectors; make anew what comes from norm and guesses.")
    ] = False,
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="For value: games a pair and city; 30.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="For value: deals other games; 0.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="For value: worker processes; one a core.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make a shipped model again from its sources, or, from games, what bots take a position to be worth (value)."""
    from brushpass.errors import InvalidSetup
    from brushpass.registry import unknown
    from brushpass.semantics.build import recipes

    said = Output(json, quiet, verbose)
    if name == VALUE:
        if source or guesses or refit:
            raise InvalidSetup("value is made of games: beside it go --out, --games, --seed and --workers")
        _build_value(said, out, games, seed, workers)
        return
    if name not in recipes.RECIPES:
        raise unknown("recipe", name, [*recipes.RECIPES, VALUE])
    if (games, seed, workers) != (None, None, None):
        raise InvalidSetup(f"--games, --seed and --workers go with value, not with {name}")
    path = recipes.refit(name, out, guesses or ()) if refit else recipes.publish(name, source, out, guesses or ())
    if json:
        said.document({"schema": 1, "name": name, "path": str(path)})
    else:
        said.lines([f"{name} is written to {path}"])


def _build_value(said: Output, out: Path, games: int | None, seed: int | None, workers: int | None) -> None:
    from brushpass.cli.valuetext import value_lines
    from brushpass.duet.train.panel import GAMES
    from brushpass.duet.train.value import build_value

    with share_bar("playing", shown=sys.stderr.isatty() and not said.quiet) as shown:
        value = build_value(
            out, games=games or GAMES, seed=seed or 0, workers=workers or usable_cores(), on_progress=shown
        )
    if said.json:
        kept = {key: value.data[key] for key in ("taught_by", "held_back")}
        said.document({"schema": 1, "name": VALUE, "path": str(value.path), **kept})
    else:
        said.lines(value_lines(value.data))
        said.lines([f"value is written to {value.path}"])
