from PySide6.QtWidgets import QLabel

from views.common.legend import Legend
from views.learner.legend import BandSample, band_legend
from views.learner.marks import SHOW_WORDS


def test_every_pattern_of_the_bands_is_explained(qtbot):
    legend = Legend((), more=band_legend())
    qtbot.addWidget(legend)
    legend.show()
    words = " ".join(label.text() for label in legend.findChildren(QLabel))
    assert all(f"Band: {told}" in words for told in SHOW_WORDS.values())
    assert "neither confused nor not" in words
    samples = legend.findChildren(BandSample)
    assert all(sample.accessibleName() for sample in samples)
