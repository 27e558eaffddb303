from PySide6.QtGui import QColor, QImage

from app.lesson.spans import Span
from views.timeline.axis import Axis
from views.timeline.thumbnails import KEPT, READS_A_PAINT, Thumbnails, slots


def written(folder, moments):
    image = QImage(160, 90, QImage.Format.Format_RGB32)
    paths = {}
    for time_ms in moments:
        image.fill(QColor(time_ms % 256, 80, 80))
        paths[time_ms] = folder / f"{time_ms}.png"
        assert image.save(str(paths[time_ms]))
    return paths


def test_slots_stand_side_by_side_and_on_the_same_grid_at_every_place():
    axis = Axis.over(Span(0, 600_000), 1000)
    moments, step = slots(axis, 100)
    assert (step, moments[:3]) == (60_000, [0, 60_000, 120_000])
    closer, finer = slots(axis.zoomed(2, 300_000), 100)
    assert finer == 30_000
    assert {180_000, 240_000, 300_000, 360_000} <= set(moments) & set(closer)


def test_only_a_few_files_are_read_in_one_repaint(tmp_path, qapp):
    pictures = Thumbnails()
    pictures.add(written(tmp_path, range(0, 20_000, 1000)))
    pictures.start_paint()
    read = [pictures.picture(t, 1000, 45) for t in range(0, 20_000, 1000)]
    assert sum(p is not None for p in read) == READS_A_PAINT
    assert pictures.has_more
    assert read[0].height() == 45
    assert read[0].width() == 80


def test_a_slot_without_its_own_picture_shows_a_near_one_and_never_a_far_one(tmp_path, qapp):
    pictures = Thumbnails()
    pictures.add(written(tmp_path, [10_000, 19_000, 20_000, 21_000]))
    pictures.start_paint()
    assert pictures.picture(12_000, 8_000, 45) is not None
    assert pictures.picture(30_000, 8_000, 45) is None
    own = pictures.picture(20_000, 8_000, 45)
    assert own.toImage().pixelColor(5, 5).red() == 20_000 % 256


def test_a_file_that_is_gone_is_an_empty_slot(tmp_path, qapp):
    pictures = Thumbnails()
    pictures.add({0: tmp_path / "gone.jpg"})
    pictures.start_paint()
    assert pictures.picture(0, 1000, 45).isNull()


def test_memory_holds_only_so_many(tmp_path, qapp):
    pictures = Thumbnails()
    paths = written(tmp_path, [0])
    pictures.add(dict.fromkeys(range(KEPT * 2), paths[0]))
    for t in range(KEPT * 2):
        pictures.start_paint()
        pictures.picture(t, 2, 10)
    assert len(pictures._held) == KEPT


def test_only_missing_moments_are_asked_for(tmp_path):
    pictures = Thumbnails()
    pictures.add({0: "a.jpg", 2000: "b.jpg"})
    assert pictures.missing([0, 1000, 2000, 3000]) == [1000, 3000]
