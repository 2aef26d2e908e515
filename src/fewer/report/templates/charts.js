// Words in charts are measured with the reader's font; what would leave its room or its chart is narrowed.
(function () {
  function room(text, wide) {
    var most = text.dataset.room ? Number(text.dataset.room) : Infinity;
    if (text.hasAttribute("transform")) { return most; }
    var x = Number(text.getAttribute("x")), anchor = text.getAttribute("text-anchor");
    return Math.min(most, anchor === "end" ? x : anchor === "middle" ? 2 * Math.min(x, wide - x) : wide - x);
  }
  function fit(svg) {
    var wide = svg.viewBox.baseVal.width;
    [].forEach.call(svg.querySelectorAll("text"), function (text) {
      text.removeAttribute("textLength");
      var most = Math.max(1, room(text, wide));
      if (text.getComputedTextLength() > most) {
        text.setAttribute("textLength", most);
        text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
    });
  }
  function all() { [].forEach.call(document.querySelectorAll("svg.chart"), fit); }
  all();
  if (document.fonts) { document.fonts.ready.then(all); }
  // A chart that was hidden has no measures before it is seen.
  if (window.ResizeObserver) {
    var seen = new ResizeObserver(function (entries) { entries.forEach(function (entry) { fit(entry.target); }); });
    [].forEach.call(document.querySelectorAll("svg.chart"), function (svg) { seen.observe(svg); });
  }
})();
