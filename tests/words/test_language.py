"""Each language: how it writes money and lists, which plural it takes, how it tells a game."""

# ruff: noqa: RUF001 - Japanese has its own signs
from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from lastspike.bots.explain import reasons
from lastspike.languages import LANGUAGES
from lastspike.rules.editions.shipped import DEFAULT_EDITION, shipped
from lastspike.rules.errors import (
    EditionError,
    IllegalMove,
    LastSpikeError,
    PositionError,
    RecordError,
    UnknownMove,
)
from lastspike.rules.records.record import Record, read_records
from lastspike.words.events import Teller, player_names, tell
from lastspike.words.hints import tell_reason
from lastspike.words.language import Words, language_of, words_for

CONFORMANCE = Path(__file__).parents[1] / "conformance"
GAMES = sorted(CONFORMANCE.glob("*.json"))
_PLACES = (
    *("player", "players", "tile", "cost", "card", "city"),
    *("amount", "route", "bonus", "rank", "cash", "land"),
)
MARKS = dict.fromkeys(_PLACES, "\0")
"""Something to fill every place of a sentence with."""
OTHERS = [language for language in LANGUAGES if language != "en"]


@cache
def game(path: Path) -> Record:
    with path.open(encoding="utf-8") as file:
        (record,) = read_records(file)
    return record


def teller(language: str, *names: str) -> Teller:
    return Teller(shipped(DEFAULT_EDITION), names, words_for(language))


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("$0", "$3,000", "$20,000", "−$3,000", "$1,234,000")),
        (
            "fr",
            (
                "0\u00a0$",
                "3\u202f000\u00a0$",
                "20\u202f000\u00a0$",
                "−3\u202f000\u00a0$",
                "1\u202f234\u202f000\u00a0$",
            ),
        ),
        (
            "pt",
            (
                "0\u00a0$",
                "3000\u00a0$",
                "20\u00a0000\u00a0$",
                "−3000\u00a0$",
                "1\u00a0234\u00a0000\u00a0$",
            ),
        ),
        (
            "pt-BR",
            (
                "$\u00a00",
                "$\u00a03.000",
                "$\u00a020.000",
                "−$\u00a03.000",
                "$\u00a01.234.000",
            ),
        ),
        ("ja", ("0ドル", "3,000ドル", "20,000ドル", "−3,000ドル", "1,234,000ドル")),
    ],
)
def test_money(language: str, texts: tuple[str, ...]) -> None:
    words = words_for(language)
    assert tuple(map(words.money, (0, 3000, 20_000, -3000, 1_234_000))) == texts


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("95%", "12.3%", "3,000", "20,000.5", "−0.5")),
        ("fr", ("95\u00a0%", "12,3\u00a0%", "3\u202f000", "20\u202f000,5", "−0,5")),
        ("pt", ("95%", "12,3%", "3000", "20\u00a0000,5", "−0,5")),
        ("pt-BR", ("95%", "12,3%", "3.000", "20.000,5", "−0,5")),
        ("ja", ("95%", "12.3%", "3,000", "20,000.5", "−0.5")),
    ],
)
def test_percentages_and_numbers(language: str, texts: tuple[str, ...]) -> None:
    words = words_for(language)
    assert texts == (
        words.percent(0.95),
        words.percent(0.1234, 1),
        words.number(3000),
        words.number(20_000.45, 1),
        words.number(-0.5, 1),
    )


def test_half_is_rounded_up_and_nothing_is_minus_zero() -> None:
    words = words_for("en")
    found = [words.number(value) for value in (0.5, 1.5, 2.5, -2.5, -0.4)]
    assert found == ["1", "2", "3", "−3", "0"]
    assert words.percent(0.285) == "29%"
    assert words_for("pt").number(9999.96, 1) == "10\u00a0000,0"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "fr-BE"}, "fr"),
        ({"LANG": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "pt_BR.UTF-8"}, "pt-BR"),
        ({"LANG": "pt"}, "pt"),
        ({"LANG": "pt_AO"}, "pt"),
        ({"LANG": "fr_FR@euro"}, "fr"),
        ({"LANG": "ja_JP.eucJP"}, "ja"),
        ({"LANG": "JA_JP"}, "ja"),
        ({"LANG": "fra"}, "en"),  # another code that begins alike
        ({"LANGUAGE": "de:ja:fr", "LANG": "en_GB.UTF-8"}, "ja"),
        ({"LANGUAGE": "de", "LANG": "fr_FR"}, "fr"),
        ({"LC_ALL": "pt_PT", "LC_MESSAGES": "ja_JP", "LANG": "fr_FR"}, "pt"),
        ({"LC_MESSAGES": "ja_JP", "LANG": "fr_FR"}, "ja"),
        ({"LC_ALL": "", "LANG": "fr_FR"}, "fr"),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_words_for_no_language_are_those_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "pt_PT.UTF-8")
    words_for.cache_clear()
    assert words_for().language == "pt"
    words_for.cache_clear()


@pytest.mark.parametrize(
    ("language", "three", "two"),
    [
        ("en", "Ada, Ben, and Cy", "Ada and Ben"),
        ("fr", "Ada, Ben et Cy", "Ada et Ben"),
        ("pt", "Ada, Ben e Cy", "Ada e Ben"),
        ("pt-BR", "Ada, Ben e Cy", "Ada e Ben"),
        ("ja", "Ada、Ben、Cy", "Ada、Ben"),
    ],
)
def test_lists(language: str, three: str, two: str) -> None:
    words = words_for(language)
    assert words.listed(["Ada", "Ben", "Cy"]) == three
    assert words.listed(["Ada", "Ben"]) == two
    assert words.listed(["Ada"]) == "Ada"


@pytest.mark.parametrize(
    ("language", "none", "one", "two"),
    [
        ("en", "0 players", "1 player", "2 players"),
        ("fr", "0 joueur", "1 joueur", "2 joueurs"),
        ("pt", "0 jogadores", "1 jogador", "2 jogadores"),
        ("pt-BR", "0 jogador", "1 jogador", "2 jogadores"),
        ("ja", "プレイヤー0人", "プレイヤー1人", "プレイヤー2人"),
    ],
)
def test_plurals(language: str, none: str, one: str, two: str) -> None:
    words = words_for(language)
    assert [words.count("{n} player", "{n} players", n) for n in range(3)] == [none, one, two]


def test_an_unknown_message_is_said_as_it_is() -> None:
    assert words_for("fr").say("nobody translated {this}", this="this") == "nobody translated this"


def test_what_is_filled_in_is_not_filled_again() -> None:
    assert words_for("ja").say("{player} wins!", player="{bonus}") == "{bonus}の勝利です！"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A3 costs $6,000; even by selling land, you can raise only $5,000 (rule L4)"),
        (
            "fr",
            (
                "A3 coûte 6 000 $ ; même en vendant des propriétés,"
                " vous ne pouvez réunir que 5 000 $ (règle L4)"
            ),
        ),
        (
            "pt",
            "A3 custa 6000 $; mesmo vendendo terrenos, só consegue reunir 5000 $ (regra L4)",
        ),
        (
            "pt-BR",
            "A3 custa $ 6.000; mesmo vendendo terrenos, você só consegue $ 5.000 (regra L4)",
        ),
        (
            "ja",
            "A3のコストは6,000ドルですが、土地を売っても5,000ドルしか用意できません（ルールL4）",
        ),
    ],
)
def test_a_forbidden_move_names_its_rule(language: str, text: str) -> None:
    error = IllegalMove(
        "L4",
        "{tile} costs {cost}; even by selling land, you can raise only {means}",
        tile="A3",
        cost=6000,
        means=5000,
    )
    assert words_for(language).error(error).replace("\u202f", " ").replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("error", "texts"),
    [
        (
            UnknownMove("", "{move} isn’t a move in this edition", move="'Q9'"),
            (
                "'Q9' isn’t a move in this edition",
                "'Q9' n’est pas un coup de cette édition",
                "'Q9' não é uma jogada desta edição",
                "'Q9' não é uma jogada desta edição",
                "'Q9'という手は、この版にありません",
            ),
        ),
        (
            IllegalMove("T1", "lay a tile first"),
            (
                "Lay a tile first (rule T1)",
                "Jouez d’abord un pion (règle T1)",
                "Coloque primeiro uma peça (regra T1)",
                "Primeiro coloque uma peça (regra T1)",
                "先にタイルを置いてください（ルールT1）",
            ),
        ),
        (
            RecordError("deal", "{tile} is dealt twice", tile="D2"),
            (
                "deal: D2 is dealt twice",
                "deal\u00a0: D2 est distribué deux fois",
                "deal: D2 foi distribuída duas vezes",
                "deal: D2 é distribuída duas vezes",
                "deal：D2が2回配られています",
            ),
        ),
        (
            EditionError("routes.A.costs", "expected a value, found nothing"),
            (
                "routes.A.costs: expected a value, found nothing",
                "routes.A.costs\u00a0: il manque une valeur",
                "routes.A.costs: esperava-se um valor, mas não há nenhum",
                "routes.A.costs: esperado: um valor; encontrado: nada",
                "routes.A.costs：値が必要ですが、ありません",
            ),
        ),
        (
            PositionError("the player whose turn it is has no legal move"),
            (
                "The player whose turn it is has no legal move",
                "Le joueur dont c’est le tour n’a aucun coup possible",
                "O jogador que tem a vez não tem nenhuma jogada possível",
                "O jogador da vez não tem nenhuma jogada permitida",
                "手番のプレイヤーに選べる手がありません",
            ),
        ),
        (
            LastSpikeError("a worker process was killed from outside"),
            (
                "A worker process was killed from outside",
                "Un processus de calcul a été arrêté de l’extérieur",
                "Um dos processos foi interrompido a partir do exterior",
                "Um processo foi encerrado por outro programa",
                "ワーカープロセスが外部から強制終了されました",
            ),
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, LastSpikeError) else "",
)
def test_errors_are_told_in_every_language(error: LastSpikeError, texts: tuple[str, ...]) -> None:
    told = tuple(words_for(language).error(error) for language in LANGUAGES)
    assert told == texts


@pytest.mark.parametrize(
    "path", sorted((CONFORMANCE / "refused").glob("*.json")), ids=lambda p: p.stem
)
def test_a_refused_record_is_told_in_every_language(path: Path) -> None:
    with pytest.raises(RecordError) as refusal:
        game(path)
    told = {language: words_for(language).error(refusal.value) for language in LANGUAGES}
    assert len(set(told.values())) >= len(LANGUAGES) - 1  # pt and pt-BR may agree
    assert not any("\n" in text or "{" in text.replace("'{", "") for text in told.values())


@pytest.mark.parametrize(
    ("language", "route"),
    [
        ("en", "St. Louis–Omaha"),
        ("fr", "Saint-Louis – Omaha"),
        ("pt", "St. Louis – Omaha"),
        ("pt-BR", "St. Louis–Omaha"),
        ("ja", "セントルイス～オマハ"),
    ],
)
def test_a_route_is_named_by_its_cities(language: str, route: str) -> None:
    assert teller(language).route("A") == route


@pytest.mark.parametrize(
    ("language", "commas", "semicolons"),
    [
        ("en", "A1, B2, C3", "A1; B2; C3"),
        ("fr", "A1, B2, C3", "A1\u202f; B2\u202f; C3"),
        ("pt", "A1, B2, C3", "A1; B2; C3"),
        ("pt-BR", "A1, B2, C3", "A1; B2; C3"),
        ("ja", "A1、B2、C3", "A1；B2；C3"),
    ],
)
def test_series(language: str, commas: str, semicolons: str) -> None:
    tell = teller(language)
    assert tell.series(["A1", "B2", "C3"]) == commas
    assert tell.shares(["A1", "B2", "C3"]) == semicolons
    assert tell.series(["A1"]) == tell.shares(["A1"]) == "A1"


def test_names_of_a_record_are_kept_where_they_can_be_shown() -> None:
    words = Words("fr")
    given = [{"name": " Ada "}, {"name": "a\nb"}, {"name": ""}, "Ben"]
    assert player_names(4, {"players": given}, words) == ["Ada", "Joueur 2", "Joueur 3", "Joueur 4"]
    assert player_names(2, {"players": given}, words) == ["Joueur 1", "Joueur 2"]
    assert player_names(2, {}, words) == ["Joueur 1", "Joueur 2"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_game_is_told_to_its_end(path: Path, language: str) -> None:
    record = game(path)
    lines = list(tell(record.game, record.raw, language))
    assert not any("{" in line or "}" in line for line in lines)
    assert len(lines) > len(record.game.moves)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_no_sentence_of_an_account_stays_english(path: Path, language: str) -> None:
    record = game(path)
    english = {line for line in tell(record.game, record.raw, "en") if line}
    assert not english.intersection(tell(record.game, record.raw, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_recorded_games_tell_every_kind_of_event(language: str) -> None:
    """Otherwise the two tests above would say less than they seem to."""
    words = words_for(language)
    told = [line for path in GAMES for line in tell(game(path).game, game(path).raw, language)]
    for message in (
        "{player} chooses {tile} and must sell land to pay {cost}.",
        "{player} sells {city} land ({card}) to the bank for {amount}.",
        "{player} lays {tile} ({route}) at double cost: {cost}.",
        "{player} gets the free land in {city}.",
        "{player} drives the last spike and earns {bonus}!",
        "{player} has no tiles, so the turn is skipped.",
        "{player} can’t afford any tile and goes bankrupt.",
        "{players} share the win.",
        "Only one player is left: the game is over.",
        "Nobody has any tiles left: the game is over without a last spike.",
        "{rank}. {player}: bankrupt",
        "{rank}. {player}: {cash}, land worth {land}",
    ):
        # The longest stretch of the sentence between two places that are filled.
        stretch = max(words.say(message, **MARKS).split("\0"), key=len)
        assert any(stretch in line for line in told), message


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "line 3, column 7: expected a, b, or c; known: x, y; Permission denied"),
        (
            "fr",
            "ligne 3, colonne 7\u00a0: expected a, b ou c; known: x, y; permission refusée",
        ),
        ("ja", "3行7列目：expected a、b、またはc; known: x、y; 権限がありません"),
    ],
)
def test_lists_places_and_reasons_in_errors_are_told_in_each_language(
    language: str, told: str
) -> None:
    error = RecordError(
        "line 3, column 7",
        "expected {values}; known: {known}; {reason}",
        values=("a", "b", "c"),
        known=["x", "y"],
        reason="Permission denied",
    )
    assert words_for(language).error(error) == told


def test_an_error_of_the_rules_names_its_city() -> None:
    error = IllegalMove("B1", "no land is left in {city}", city="DEN")
    assert words_for("en").error(error) == "No land is left in DEN (rule B1)"
    named = words_for("en").error(error, {"DEN": "Denver"})
    assert named == "No land is left in Denver (rule B1)"


def test_what_is_found_out_about_others_names_them() -> None:
    teller = Teller(shipped(), ["Ada", "Bob"], words_for("en"))
    every: list[reasons.Reason] = [
        reasons.OnlyMove(),
        reasons.WinsNow(1000),
        reasons.WouldLose("A1", 1, 1000),
        reasons.PaidNow("A", 1000, 2000),
        reasons.FreeGrant("DEN", 1000),
        reasons.RouteLikelier("A", 10, 20),
        reasons.Cheapest(1000),
        reasons.GoodLand("DEN", 1000, 2000),
        reasons.DeniesLand("DEN", 1),
        reasons.KeepsCash(1000),
        reasons.MoneyLeft(1000),
        reasons.SellsLeast("DEN1", 1000),
        reasons.WantsTheEnd(1),
        reasons.FearsTheEnd(2),
        reasons.KeepsSpike("A1"),
        reasons.WinChance(40, 30),
    ]
    assert {type(reason) for reason in every} == set(get_args(reasons.Reason))
    for reason in every:
        (to_you,) = tell_reason(teller, reason)
        (about,) = tell_reason(teller, reason, "Ada")
        assert not re.search(r"\byou", about, re.IGNORECASE)
        assert "Ada" not in to_you
        assert to_you == about or "Ada" in about
