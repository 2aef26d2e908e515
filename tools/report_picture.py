"""Make a small picture of a report page by chromium: python tools/report_picture.py report.html docs/report.png."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SIZE, COLOURS = (1100, 1330), 64


def main(page: str, picture: str) -> None:
    """Take the top of the page, and keep as few colours as the eye does not miss."""
    from PIL import Image

    browser = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
    if browser is None:
        raise SystemExit(
            "Taking the picture needs chromium, which is not here; install it, or leave the picture as it is."
        )
    with tempfile.TemporaryDirectory() as scratch:
        taken = Path(scratch) / "taken.png"
        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--screenshot={taken}"]
        words += [f"--window-size={SIZE[0]},{SIZE[1]}", Path(page).resolve().as_uri()]
        subprocess.run([browser, *words], check=True, capture_output=True)
        Image.open(taken).convert("RGB").quantize(COLOURS).save(picture, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
