"""A real browser without a window, spoken to by its DevTools protocol; the network is cut."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--remote-debugging-port=0", "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
PATIENCE = 60.0


def in_font(page: str, percent: int) -> str:
    """Return a page whose every letter is DejaVu Sans at a fraction of its width, as matplotlib brings it along."""
    import matplotlib

    folder, faces = Path(matplotlib.get_data_path()) / "fonts" / "ttf", []
    for name, weight in (("DejaVuSans.ttf", "100 500"), ("DejaVuSans-Bold.ttf", "501 900")):
        data = base64.b64encode((folder / name).read_bytes()).decode()
        faces.append(
            f"@font-face {{ font-family: forced; font-weight: {weight}; size-adjust: {percent}%; "
            f"src: url(data:font/ttf;base64,{data}); }}"
        )
    style = f"<style>{' '.join(faces)} * {{ font-family: forced !important; }}</style></head>"
    opened = page.replace("default-src 'none';", "default-src 'none'; font-src data:;", 1)
    assert opened != page
    return opened.replace("</head>", style, 1)


def installed() -> str | None:
    """Return the program, if there is one."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One tab. ``problems`` lists what went wrong on the page, ``asked`` what it asked the network for."""

    def __init__(self, program: str) -> None:
        self._folder = tempfile.mkdtemp(prefix="fewer-browser-")
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._loop = asyncio.new_event_loop()
        self._number = 0
        self.problems: list[str] = []
        self.asked: list[str] = []
        try:
            self._socket = self._loop.run_until_complete(self._connect())
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.send(f"{domain}.enable")
            self.send("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                      uploadThroughput=0)  # fmt: skip
        except BaseException:
            self.close()
            raise

    async def _connect(self) -> Any:
        from tornado.httpclient import AsyncHTTPClient
        from tornado.websocket import websocket_connect

        port_file, end = Path(self._folder) / "DevToolsActivePort", time.monotonic() + PATIENCE
        while not (port_file.exists() and port_file.read_text().count("\n")):
            assert self._process.poll() is None, "the browser ended at once"
            assert time.monotonic() < end, "the browser did not start"
            await asyncio.sleep(0.05)
        port = port_file.read_text().split()[0]
        answer = await AsyncHTTPClient().fetch(f"http://127.0.0.1:{port}/json/list")
        page = next(one for one in json.loads(answer.body) if one["type"] == "page")
        return await websocket_connect(page["webSocketDebuggerUrl"], max_message_size=2**28)

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result; what the browser tells meanwhile is noted."""
        self._number += 1
        message = json.dumps({"id": self._number, "method": method, "params": parameters})
        return self._loop.run_until_complete(asyncio.wait_for(self._exchange(message, self._number), PATIENCE))

    async def _exchange(self, message: str, number: int) -> Any:
        await self._socket.write_message(message)
        while True:
            text = await self._socket.read_message()
            assert text is not None, "the browser has gone"
            told = json.loads(text)
            if told.get("id") == number:
                assert "error" not in told, told
                return told["result"]
            self._note(told.get("method", ""), told.get("params", {}))

    def _note(self, event: str, facts: dict[str, Any]) -> None:
        if event == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(facts["exceptionDetails"]))
        if event == "Runtime.consoleAPICalled" and facts["type"] in ("error", "warning", "assert"):
            self.problems.append(json.dumps(facts["args"]))
        if event == "Log.entryAdded" and facts["entry"]["level"] in ("error", "warning"):
            self.problems.append(facts["entry"]["text"])
        if event == "Network.requestWillBeSent" and not facts["request"]["url"].startswith(
            ("file:", "data:", "about:")
        ):
            self.asked.append(facts["request"]["url"])

    def open(self, path: Path, width: int, height: int = 900, more: str = "") -> None:
        """Show a file at a width and wait until it is complete."""
        self.problems.clear()
        self.asked.clear()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", media="screen")
        # Leaving first, because a changed fragment alone does not load a page again.
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=path.resolve().as_uri() + more)
        end = time.monotonic() + PATIENCE
        while not self.run(f"document.readyState === 'complete' && location.href.startsWith('{path.as_uri()}')"):
            assert time.monotonic() < end, "the page did not load"
            time.sleep(0.05)

    def run(self, script: str) -> Any:
        """Return the value of an expression of the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def move(self, x: float, y: float) -> None:
        """Move the pointer."""
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key: str) -> None:
        """Press a key: Enter or Tab."""
        code = {"Enter": 13, "Tab": 9}[key]
        more = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def type(self, words: str) -> None:
        """Type words where the focus is."""
        self.send("Input.insertText", text=words)

    def picture(self, path: Path) -> None:
        """Save what is seen, for a person to look at."""
        found = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(found["data"]))

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._loop.close()
        shutil.rmtree(self._folder, ignore_errors=True)
