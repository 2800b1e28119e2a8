"""The course of a training as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from lastspike.lab.train.learning_curve import learning_curve


def test_the_picture_shows_both_lines_and_what_is_fair() -> None:
    log = [
        {"games": 1000.0 * (n + 1), "learner": 0.1 + n / 1000, "surveyor": 0.5 - n / 1000}
        for n in range(300)
    ]
    picture = ET.fromstring(learning_curve(log, 4))
    tag = "{http://www.w3.org/2000/svg}"
    lines = picture.findall(f"{tag}polyline")
    heights = [[float(p.split(",")[1]) for p in line.get("points", "").split()] for line in lines]
    assert heights[0][0] > heights[0][-1], "the learner rises: up is less"
    assert heights[1][0] < heights[1][-1]
    words = [text.text for text in picture.findall(f"{tag}text")]
    assert "fair share" in words
    assert "0.3 million games" in words


def test_a_single_batch_is_a_course_too() -> None:
    assert "polyline" in learning_curve([{"games": 8.0, "learner": 0.0, "surveyor": 1.0}], 2)
