from hypothesis import given, settings
from hypothesis import strategies as st

from inforce.report import labels as module
from inforce.report.labels import Box

FRAME = Box(0, 0, 400, 300)


def test_boxes():
    assert module.overlap(Box(0, 0, 2, 2), Box(1, 1, 3, 3)) == 1 and module.overlap(Box(0, 0, 1, 1), Box(1, 0, 2, 1)) == 0
    assert module.outside(Box(-1, 0, 1, 2), FRAME) == 2


def test_to_the_right_of_a_lonely_point_and_to_the_left_at_the_edge():
    (right,) = module.place_labels([(100, 100)], [(50, 8)], FRAME)
    assert right.left > 100 and right.bottom == 96
    (left,) = module.place_labels([(390, 100)], [(50, 8)], FRAME)
    assert left.right < 390


def test_two_points_in_one_place_have_two_labels_beside_each_other():
    one, other = module.place_labels([(100, 100), (100, 101)], [(50, 8), (50, 8)], FRAME)
    assert module.overlap(one, other) == 0


def test_a_line_is_kept_free():
    (box,) = module.place_labels([(100, 100)], [(50, 8)], FRAME, [(100 + 3 * step, 100) for step in range(40)])
    assert box.right < 100


@given(st.lists(st.tuples(st.floats(0, 400), st.floats(0, 300)), max_size=3))
@settings(max_examples=25, deadline=None)
def test_three_labels_never_cover_each_other(points):
    boxes = module.place_labels(points, [(40, 8)] * len(points), FRAME)
    assert boxes == module.place_labels(points, [(40, 8)] * len(points), FRAME)
    assert not any(module.overlap(one, other) for place, one in enumerate(boxes) for other in boxes[place + 1 :])
