"""Model answers: how an item is put to a model in each setting, and how its reply is read."""
