(function () {
  function all(what, inside) { return [].slice.call((inside || document).querySelectorAll(what)); }

  // One estimator at a time; a page without scripts shows all.
  var names = all("[data-show]");
  function pick(name) {
    all("[data-estimator]").forEach(function (figure) { figure.hidden = figure.dataset.estimator !== name; });
    names.forEach(function (button) { button.setAttribute("aria-pressed", String(button.dataset.show === name)); });
  }
  if (names.length) {
    all(".switch").forEach(function (group) { group.hidden = false; });
    names.forEach(function (button) { button.addEventListener("click", function () { pick(button.dataset.show); }); });
    pick(names[0].dataset.show);
  }

  // Methods are brought out by their buttons, several at a time; none pressed shows all alike.
  function bring(number, on) {
    all('.series[data-series="' + number + '"]').forEach(function (series) {
      series.classList.toggle("on", on);
      if (on) { series.parentNode.appendChild(series); }
    });
  }
  var chips = all("#series button");
  function picked() {
    var any = chips.some(function (chip) { return chip.getAttribute("aria-pressed") === "true"; });
    all(".panels").forEach(function (panel) { panel.classList.toggle("picked", any); });
  }
  chips.forEach(function (chip) {
    chip.addEventListener("click", function () {
      var on = chip.getAttribute("aria-pressed") !== "true";
      chip.setAttribute("aria-pressed", String(on));
      bring(chip.dataset.series, on);
      picked();
    });
  });

  // Titles become tips that appear at once.
  var tip = document.body.appendChild(document.createElement("div"));
  tip.id = "tip";
  tip.hidden = true;
  all("svg.chart title").forEach(function (title) {
    if (title.parentNode.tagName !== "svg") {
      title.parentNode.dataset.tip = title.textContent;
      title.remove();
    }
  });
  function say(words, event) {
    tip.hidden = !words;
    if (!words) { return; }
    tip.textContent = words;
    var box = tip.getBoundingClientRect(), x = event.clientX + 14, y = event.clientY + 16;
    tip.style.left = Math.max(4, Math.min(x, window.innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + box.height > window.innerHeight ? event.clientY - box.height - 10 : y) + "px";
  }
  function cell(svg, event) {
    var heat = svg.heat || (svg.heat = JSON.parse(svg.dataset.heat));
    var place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    var column = Math.floor((place.x - heat.at[0]) / heat.at[2]), row = Math.floor((place.y - heat.at[1]) / heat.at[2]);
    var columns = heat.columns || heat.rows;
    if (row < 0 || column < 0 || row >= heat.rows.length || column >= columns.length) { return ""; }
    var value = heat.values[row][column];
    return value === null ? "" : heat.rows[row] + " · " + columns[column] + ": " + value.toFixed(2);
  }
  all("svg.chart").forEach(function (svg) {
    svg.addEventListener("pointermove", function (event) {
      var on = event.target.closest("[data-tip]");
      say(on ? on.dataset.tip : svg.dataset.heat ? cell(svg, event) : "", event);
    });
    svg.addEventListener("pointerleave", function () { say(""); });
  });

  // Pages of single features: found by name, opened by a link to them.
  var cards = all(".card"), search = document.getElementById("cards-search");
  if (search) {
    document.getElementById("cards-controls").hidden = false;
    search.addEventListener("input", function () {
      var part = search.value.trim().toLowerCase(), n = 0;
      cards.forEach(function (card) {
        card.hidden = card.dataset.name.toLowerCase().indexOf(part) < 0;
        n += !card.hidden;
      });
      document.getElementById("cards-found").textContent = part ? n + " of " + cards.length + " pages" : "";
    });
    var open = document.getElementById("cards-open");
    open.addEventListener("click", function () {
      var wanted = cards.some(function (card) { return !card.open; });
      cards.forEach(function (card) { card.open = wanted; });
      open.textContent = wanted ? "Close all" : "Open all";
    });
    var follow = function () {
      var card = location.hash.indexOf("#feature-") === 0 && document.getElementById(location.hash.slice(1));
      if (card) { card.open = true; card.hidden = false; card.scrollIntoView({ block: "center" }); }
    };
    window.addEventListener("hashchange", follow);
    follow();
  }
})();
