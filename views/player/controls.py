"""The row under the picture: buttons with words, the time, speed and loudness."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QApplication, QComboBox, QHBoxLayout, QLabel, QSlider, QWidget

from app.lesson.spans import Span, show_time
from views.common.controls import page_button

SPEEDS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0)
TIME_SCALE = 1.35
"""The time is read more often than anything else here, and from further away."""


class Controls(QWidget):
    """What a hand reaches for; the keys are named on every button.

    Signals:
        toggled: Play or pause.
        stepped: So many frames on, or back below zero.
        speed_picked: A speed; 1 is the lesson's own.
        volume_picked: How loud, 0 to 1.
    """

    toggled = Signal()
    stepped = Signal(int)
    speed_picked = Signal(float)
    volume_picked = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.play = page_button("Play", "Play or pause", "Space, K; J and L for speed")
        self.back = page_button("‹ Frame", "One frame back", ",")
        self.on = page_button("Frame ›", "One frame on", ".")
        self.mute = page_button("Mute", "Turn the sound off or on", stays=True)
        self.speed, self.volume = _speed_box(), _volume_slider()
        self.time = QLabel()
        self.time.setAccessibleName("Time")
        self._enlarge_time()
        self.back.setAccessibleName("One frame back")
        self.on.setAccessibleName("One frame on")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 0)
        # The row may be narrower than all of it; see `resizeEvent`.
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        left: tuple[QWidget, ...] = (self.play, self.back, self.on, self.time)
        right: tuple[QWidget, ...] = (self.speed, self.mute, self.volume)
        for widget in left:
            row.addWidget(widget)
        row.addStretch()
        for widget in right:
            row.addWidget(widget)
        self._connect()
        self.show_time(None, None)

    def show_time(self, time_ms: int | None, span: Span | None) -> None:
        """Show where the lesson stands and how long it is, both on the lesson's own clock."""
        here = show_time(time_ms, tenths=time_ms is not None)
        length = len(self.time.text())
        self.time.setText(f"{here} / {show_time(span.end_ms if span else None)}")
        if len(self.time.text()) != length:
            self._make_room()

    def show_playing(self, is_playing: bool) -> None:
        """Name the button after what it will do."""
        self.play.setText("Pause" if is_playing else "Play")
        self.play.setAccessibleName(self.play.text())

    def show_speed(self, speed: float) -> None:
        """Show a speed without picking it."""
        self.speed.blockSignals(True)
        self.speed.setCurrentIndex(SPEEDS.index(speed))
        self.speed.blockSignals(False)

    def let_use(self, has_media: bool, has_picture: bool, has_sound: bool) -> None:
        """Turn off what would do nothing."""
        uses: tuple[tuple[QWidget, bool], ...] = (
            (self.play, has_media),
            (self.speed, has_media),
            (self.back, has_picture),
            (self.on, has_picture),
            (self.mute, has_sound),
            (self.volume, has_sound),
        )
        for widget, is_useful in uses:
            widget.setEnabled(is_useful)

    def scale(self) -> None:
        """Follow the program's text size."""
        self._enlarge_time()
        self._make_room()

    def minimumSizeHint(self) -> QSize:
        """Be content with the play button and the time."""
        return QSize(self._width_of([self.play, self.time]), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has a key or a menu before anything is cut off."""
        self._make_room()
        super().resizeEvent(event)

    def _make_room(self) -> None:
        kept: list[QWidget] = [self.play, self.time]
        spared: tuple[QWidget, ...] = (self.on, self.back, self.mute, self.speed, self.volume)
        for widget in spared:
            fits = self._width_of([*kept, widget]) <= self.width()
            if fits:
                kept.append(widget)
            widget.setVisible(fits)

    def _width_of(self, widgets: list[QWidget]) -> int:
        layout = self.layout()
        gap = max(0, layout.spacing()) if layout is not None else 0
        return sum(widget.sizeHint().width() + gap for widget in widgets) + 2 * gap

    def _enlarge_time(self) -> None:
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * TIME_SCALE)
        font.setBold(True)
        self.time.setFont(font)

    def _connect(self) -> None:
        self.play.clicked.connect(self._toggle)
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self.speed.activated.connect(lambda place: self.speed_picked.emit(SPEEDS[place]))
        self.mute.toggled.connect(self._tell_volume)
        self.volume.valueChanged.connect(self._tell_volume)

    def _toggle(self) -> None:
        self.toggled.emit()

    def _tell_volume(self) -> None:
        share = 0.0 if self.mute.isChecked() else self.volume.value() / 100
        self.volume_picked.emit(share)


def _speed_box() -> QComboBox:
    box = QComboBox()
    box.addItems([f"{speed:g}×" for speed in SPEEDS])
    box.setCurrentIndex(SPEEDS.index(1.0))
    box.setAccessibleName("Speed")
    box.setToolTip("How fast the lesson plays (L faster)")
    box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return box


def _volume_slider() -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(0, 100)
    slider.setValue(80)
    slider.setFixedWidth(90)
    slider.setAccessibleName("Loudness")
    slider.setToolTip("How loud the lesson plays")
    slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return slider
