"""Recipes: how the word data that ships is made. Needs wordfreq and Debian's `wordnet-base` and `wamerican`."""
