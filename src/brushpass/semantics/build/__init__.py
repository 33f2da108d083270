"""Recipes: how the minds that ship are made. Needs the extra `[build]`, and hours of nobody's time."""
