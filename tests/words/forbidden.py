"""Words that the game doesn't use, because it has another word for the same thing.

docs/translating.md has the words it does use. A pattern is a regular expression; `\\b` at both ends
makes it match whole words only.
"""

# ruff: noqa: RUF001 - languages have their own signs
from __future__ import annotations

import re
from typing import NamedTuple

from lastspike.languages import Language


class Rule(NamedTuple):
    """What a text must not contain, and what to write instead."""

    pattern: str
    instead: str


FORBIDDEN: dict[Language, tuple[Rule, ...]] = {
    "en": (
        Rule(r"\banew\b", "again"),
        Rule(r"\bgratis\b", "free"),
        Rule(r"\bdear\b", "expensive"),
        Rule(r"\bis to move\b", "’s turn"),
        Rule(r"\bso (many|often|much)\b", "a number or a name"),
        Rule(r"\bany more\b", "no longer"),
        Rule(r"\bfree grant\b", "free land grant, then free land"),
        Rule(r"\bnearer\b|\bfarther\b(?! than)", "Zoom in, Zoom out"),
        Rule(r"\bcommitment\b", "fingerprint"),
        Rule(r"\brichest\b", "the player with the most cash"),
        Rule(r"[\d}]\s%", "no space before %"),
        Rule(r" …", "no space before …"),
        Rule(r"\w'\w", "a curly apostrophe: ’"),
    ),
    "fr": (
        Rule(r"\b[Pp]rimes?\b", "bonus"),
        Rule(r"\b[Ss]ièges?\b", "place"),
        Rule(r"(routes?|lignes?) (\{\w+\} )?(est |sont )?terminées?", "achevée"),
        Rule(r"joueurs? artificiels?", "ordinateur"),
        Rule(r"\bgrappes?\b", "cluster"),
        Rule(r"(?<!\u00a0)%", "a no-break space before %"),
        Rule(r" …", "no space before …"),
        Rule(r"\w'\w", "a curly apostrophe: ’"),
    ),
    "pt": (
        Rule(r"\b[Aa]parelhos?\b", "dispositivo"),
        Rule(r"[Ff]alência|[Ff]alid[oa]", "bancarrota"),
        Rule(r"[Pp]rémios?\b", "bónus"),
        Rule(r"[Cc]oncluíd[oa]s?\b", "completa"),
        Rule(r"\b[Tt]omad[oa]s?\b(?! [{]n[}])", "reclamado"),
        Rule(r"\b[Vv]ocês?\b", "the verb alone"),
        Rule(r"[Qq]uotas? justas?", "parte justa"),
        Rule(r"post[ao]s? de lado", "posta de parte"),
        Rule(r"\b[Rr]eservas?\b", "monte"),
        Rule(r"artificia(l|is)", "computador"),
        Rule(r"[\d}]\s%", "no space before %"),
        Rule(r" …", "no space before …"),
    ),
    "pt-BR": (
        Rule(r"[Tt]roços?\b", "trecho, peça"),
        Rule(r"[Ff]icheiros?\b", "arquivo"),
        Rule(r"[Ee]crãs?\b", "tela"),
        Rule(r"\b[Bb]aralh", "embaralhar"),
        Rule(r"\b[Rr]egistos?\b", "registro"),
        Rule(r"[Bb]ónus", "bônus"),
        Rule(r"[Pp]r[éê]mios?\b", "bônus"),
        Rule(r"[Bb]ancarrota", "falência"),
        Rule(r"[Cc]aminhos? de ferro", "ferrovia"),
        Rule(r"\b[Aa]parelhos?\b", "dispositivo"),
        Rule(r"base de dados", "banco de dados"),
        Rule(r"[Pp]alavra-passe", "senha"),
        Rule(r"[Dd]escarregar", "baixar"),
        Rule(r"[Dd]efinições", "configurações"),
        Rule(r"[Ee]quipas?\b|[Tt]elemóve", "time, celular"),
        Rule(r"(parte|quota) justa", "parcela justa"),
        Rule(r"\bestá a \w+r\b|^A (?!partir)\w+r\b", "está jogando"),
        Rule(r"[Cc]oncluíd[oa]s?\b", "completa"),
        Rule(r"artificia(l|is)", "computador"),
        Rule(r"\b[Rr]eservas?\b", "monte"),
        Rule(r"[\d}]\s%", "no space before %"),
        Rule(r" …", "no space before …"),
    ),
    "ja": (
        Rule("配牌", "最初の配布"),
        Rule("手札", "手元のタイル"),
        Rule("得点", "結果"),
        Rule("賞金", "ボーナス"),
        Rule("費用", "コスト"),
        Rule("対局", "対戦"),
        Rule("(?<!スパイクを)打(?!ち込)", "プレイ"),
        Rule("(?<!食)卓", "テーブル"),
        Rule("だれ", "誰"),
        Rule("他の", "ほかの"),
        Rule("よけて|取り除い", "脇に置いた"),
        Rule("でたらめ", "ランダム"),
        Rule("残りが山|山札|山のタイル", "ストック"),
        Rule("はだめです", "は避けましょう"),
        Rule(r"\}経路", "経路{n}本"),
        Rule("％", "%"),
        Rule(r"[？！](?![　（）」]|$)", "a full-width space after ？ and ！ inside a paragraph"),
    ),
}
"""Everything that breaks a rule is a fault: there are no exceptions."""


def faults(language: Language, text: str) -> list[str]:
    """What the text contains that it shouldn't, each with what to write instead."""
    return [
        f"{found[0]!r}, instead: {rule.instead}"
        for rule in FORBIDDEN[language]
        if (found := re.search(rule.pattern, text))
    ]
