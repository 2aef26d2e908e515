"""Forests of trees on binned columns, with what rows outside the bag say."""
