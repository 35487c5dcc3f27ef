"""The shared vocabulary: what a Section, Citation, Item, Answer, Grade and Score is, and how each is read and written."""
