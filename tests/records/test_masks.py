from inforce.records.masks import masker_of


def test_details_become_their_masks_in_other_texts():
    change = masker_of({"Pemble": "P.", "Harold Pemble": "P.", "020 7946 0958": "[phone number]", "สมชาย ใจดี": "ส."})
    assert (
        change("Harold\n Pemble rang 020 7946 0958; Pemble's son, Pembleton, paid.") == "P. rang [phone number]; P.'s son, Pembleton, paid."
    )
    assert change("ว่าสมชาย ใจดีฟ้อง") == "ว่าส.ฟ้อง"


def test_nothing_to_mask_leaves_a_text_as_it_is():
    assert masker_of({})("Pemble") == "Pemble"
