"use strict";
// Every table of the class "rows" can be sorted by its heads; its controls search and filter it.
[].forEach.call(document.querySelectorAll("table.rows"), function (table) {
  var body = table.tBodies[0];
  var heads = [].slice.call(table.tHead.rows[0].cells);
  var names = heads.map(function (head) { return head.textContent; });
  var kinds = heads.map(function (head) { return head.className; });
  var name = kinds.indexOf("feature"), status = kinds.indexOf("status");
  var controls = document.querySelector('.controls[data-for="' + table.id + '"]');
  var search = controls && controls.querySelector("input");
  var found = controls && controls.querySelector(".found");
  var more = document.querySelector('[data-more="' + table.id + '"]');
  var step = Number(table.dataset.step);
  var stored = document.getElementById(table.dataset.stored);
  var rows = [].map.call(body.rows, function (line) {
    return { line: line, cells: [].map.call(line.cells, function (cell) { return cell.textContent; }) };
  });
  var wanted = {}, part = "", key = -1, down = false, most = stored ? step : Infinity;

  // A long table is stored once, as columns; rows are made only when they are shown.
  if (stored) {
    var columns = JSON.parse(stored.textContent);
    for (var i = rows.length; i < columns[0].cells.length; i++) {
      rows.push({ line: null, cells: columns.map(function (column) {
        return column.words ? column.words[column.cells[i]] : column.cells[i];
      }) });
    }
  }
  rows.forEach(function (row) { row.find = row.cells[name].toLowerCase(); });

  function cell(text, index) {
    var made = document.createElement(index === name ? "th" : "td");
    made.className = kinds[index];
    made.setAttribute("role", index === name ? "rowheader" : "cell");
    if (index === name) { made.scope = "row"; }
    if (index === status) {
      var swatch = made.appendChild(document.createElement("span"));
      swatch.className = "swatch " + text.replace(" ", "-");
    }
    if (index !== name && index !== status) { made.dataset.head = names[index]; }
    if (index === name) { made.title = text; }
    var inside = index === name ? made.appendChild(document.createElement("bdi")) : made;
    inside.appendChild(document.createTextNode(text));
    return made;
  }
  function line(row) {
    if (!row.line) {
      row.line = document.createElement("tr");
      row.line.setAttribute("role", "row");
      row.cells.forEach(function (text, index) { row.line.appendChild(cell(text, index)); });
    }
    return row.line;
  }
  function value(text) {
    if (kinds[key] !== "number") { return text.toLowerCase(); }
    return Number(text.replace(/,/g, "").replace("∞", "Infinity"));
  }
  function compare(a, b) {
    var x = a.cells[key], y = b.cells[key];
    if (x === "" || y === "") { return (x === "") - (y === ""); }
    x = value(x); y = value(y);
    var order = typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : (x > y) - (x < y);
    return down ? -order : order;
  }
  function show() {
    var matching = rows.filter(function (row) {
      return row.find.indexOf(part) >= 0 && Object.keys(wanted).every(function (kind) {
        return !wanted[kind] || row.cells[kinds.indexOf(kind)] === wanted[kind];
      });
    });
    if (key >= 0) { matching.sort(compare); }
    var shown = matching.slice(0, most);
    var lines = document.createDocumentFragment();
    shown.forEach(function (row) { lines.appendChild(line(row)); });
    body.replaceChildren(lines);
    if (found) {
      found.textContent = matching.length === rows.length && shown.length === rows.length ? "" :
        (shown.length < matching.length ? shown.length.toLocaleString("en") + " shown of " : "") +
        matching.length.toLocaleString("en") + " " + controls.dataset.noun + (matching.length === 1 ? "" : "s");
    }
    if (more) { more.hidden = shown.length === matching.length; }
  }
  function again() { most = stored ? step : Infinity; show(); }

  heads.forEach(function (head, index) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = names[index];
    button.title = "Sort by " + names[index];
    head.replaceChildren(button);
    button.addEventListener("click", function () {
      // Large scores are the interesting ones, small ranks, p-values, sizes and times too.
      var falling = kinds[index] === "number" && !/rank$|^p-value$|^size|^enough|seconds/.test(names[index]);
      down = key === index ? !down : falling;
      key = index;
      heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      show();
    });
  });
  if (controls) {
    search.addEventListener("input", function () { part = search.value.trim().toLowerCase(); again(); });
    [].forEach.call(controls.querySelectorAll("[data-filter]"), function (group) {
      [].forEach.call(group.children, function (chip) {
        chip.addEventListener("click", function () {
          wanted[group.dataset.filter] = chip.dataset.value;
          [].forEach.call(group.children, function (other) {
            other.setAttribute("aria-pressed", String(other === chip));
          });
          again();
        });
      });
    });
    controls.hidden = false;
  }
  if (more) { more.addEventListener("click", function () { most += step; show(); }); }
  show();
});
