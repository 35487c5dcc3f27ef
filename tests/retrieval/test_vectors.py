import numpy as np
import pytest

from inforce.retrieval.vectors import shortened, unit


def test_unit_scales_rows_to_length_one_and_leaves_zeros():
    assert unit([[3, 4], [0, 0]]).tolist() == [[np.float32(0.6), np.float32(0.8)], [0, 0]]
    assert unit([[3, 4]]).dtype == np.float32


def test_shortened_keeps_the_first_numbers_and_scales_again():
    assert shortened([[3, 4, 12]], 2).tolist() == [[np.float32(0.6), np.float32(0.8)]]
    assert shortened([[3, 4, 12]], None).tolist() == [[np.float32(3 / 13), np.float32(4 / 13), np.float32(12 / 13)]]
    with pytest.raises(ValueError, match="gives 3 numbers a text, and its configuration asks for 4"):
        shortened([[3, 4, 12]], 4)
