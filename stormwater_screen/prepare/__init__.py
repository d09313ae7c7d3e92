"""Layers as agencies publish them, made into layers that a screening takes."""
