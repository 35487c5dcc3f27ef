"use strict";
// Everything that comes from data reaches the page as a text node or an attribute's value; no text is ever read as HTML.
(() => {
  const byId = (id) => document.getElementById(id);

  function el(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : String(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== "") node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return node;
  }

  // ---- tables that sort by a column ----
  function sortBy(table, column, heading, wanted) {
    const numeric = [...table.tBodies[0].rows].some((row) => row.cells[column].hasAttribute("data-sort"));
    const before = heading.getAttribute("aria-sort");
    const direction = wanted ? wanted : before === "descending" ? "ascending" : before === "ascending" ? "descending" : numeric ? "descending" : "ascending";
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = [...table.tBodies[0].rows].map((row) => {
      const cell = row.cells[column];
      const raw = numeric ? cell.getAttribute("data-sort") : cell.textContent.trim();
      return [raw === "" ? null : numeric ? Number(raw) : raw, row];
    });
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // unknown stays last either way
      return sign * (numeric ? a - b : a.localeCompare(b));
    });
    table.tBodies[0].append(...keyed.map(([, row]) => row));
    for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction);
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    table.tHead.querySelectorAll("th").forEach((heading, column) => {
      heading.querySelector("button").addEventListener("click", () => sortBy(table, column, heading));
    });
  }
  // ---- what is closed on the screen is open on paper ----
  let opened = [];
  window.addEventListener("beforeprint", () => {
    const closed = [...document.querySelectorAll("details:not([open])")].filter((node) => !node.closest("#item"));
    for (const node of closed) node.open = true;
    opened = [...opened, ...closed];
  });
  window.addEventListener("afterprint", () => {
    for (const node of opened) node.open = false;
    opened = [];
  });

  // ---- the leaderboard narrowed to a run, a domain, a drift band ----
  const data = JSON.parse(byId("data").textContent);
  const board = byId("board");
  const narrow = { run: byId("run-filter"), domain: byId("board-domain"), band: byId("board-band") };
  const rows = () => [...board.tBodies[0].rows];

  function scoreOf(row, setting) {
    const cells = data.boards[row.dataset.run] || {};
    return cells[[row.dataset.model, setting, narrow.domain.value, narrow.band.value].join("|")];
  }

  // numbers come as the tables print them: toFixed rounds halves the other way
  function fillScore(cell) {
    const [sort, value, low, high, scored, n] = scoreOf(cell.parentNode, cell.dataset.setting) || [null, "", "", "", null, null];
    cell.dataset.sort = sort === null ? "" : String(sort);
    cell.replaceChildren(
      ...[
        value || el("span", { class: "none" }, "–"),
        low ? el("small", {}, `${low}–${high}`) : null,
        n === null ? null : el("small", {}, `${scored}/${n}`),
      ].filter((node) => node !== null),
    );
  }

  function narrowBoard() {
    const narrowed = narrow.domain.value !== "all" || narrow.band.value !== "all";
    board.classList.toggle("narrowed", narrowed);
    for (const row of rows()) {
      row.hidden = narrow.run !== null && narrow.run.value !== "" && row.dataset.run !== narrow.run.value;
      for (const cell of row.querySelectorAll("td.score")) fillScore(cell);
    }
    const sorted = board.tHead.querySelector("th[aria-sort]");
    if (sorted) sortBy(board, sorted.cellIndex, sorted, sorted.getAttribute("aria-sort"));
    byId("board-note").textContent = narrowed ? "Scores of these items only; the columns that are not known for them are hidden." : "";
    byId("board-detail").hidden = true;
  }
  for (const control of Object.values(narrow)) if (control) control.addEventListener("change", narrowBoard);

  // hover, tap or focus: what a score rests on, in words
  function detail(cell) {
    const found = scoreOf(cell.parentNode, cell.dataset.setting);
    const name = cell.parentNode.querySelector("th").textContent;
    const where = [narrow.domain, narrow.band].map((control) => control.options[control.selectedIndex].textContent).join(", ");
    const start = `${name}, ${data.settings[cell.dataset.setting]}, ${where}: `;
    const target = byId("board-detail");
    target.hidden = false;
    if (!found || found[0] === null) {
      target.textContent = start + (found ? `none of ${found[5]} sub-questions × samples was scored.` : "nothing was asked.");
      return;
    }
    const [, value, low, high, scored, n] = found;
    const interval = low ? `95 % interval ${low} to ${high}` : "no interval (fewer than two clusters)";
    const rest = n === scored ? "all were scored" : `${n - scored} had no full panel or no answer and are left out, not read as zero`;
    target.textContent = `${start}${value} of 10, ${interval}; ${scored} of ${n} sub-questions × samples, ${rest}.`;
  }
  for (const kind of ["mouseover", "focusin", "click"]) {
    board.tBodies[0].addEventListener(kind, (event) => {
      const cell = event.target.closest("td.score");
      if (cell) detail(cell);
    });
  }

  // ---- items ----
  if (!data.runs.length) return;
  const controls = { run: byId("item-run"), domain: byId("item-domain"), band: byId("item-band"), status: byId("item-status"), find: byId("item-find") };
  const list = byId("item-list");
  const pane = byId("item");
  let open = null;

  const words = (text) => String(text).replaceAll("_", " ");
  const badge = (text, kind) => el("span", { class: "badge" + (kind ? " " + kind : "") }, text);
  const source = (text, language) => el("div", { class: "source", lang: language }, text);
  const number = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));

  function options(select, values, all) {
    const kept = select.value;
    select.replaceChildren(...(all ? [el("option", { value: "" }, all)] : []), ...values.map(([value, text]) => el("option", { value }, text)));
    if (values.some(([value]) => value === kept)) select.value = kept;
  }

  const currentRun = () => data.runs[Number(controls.run.value) || 0];
  const sortedSet = (values) => [...new Set(values)].sort();

  function fillControls() {
    const items = currentRun().items;
    options(controls.domain, sortedSet(items.map((item) => item.domain)).map((name) => [name, words(name)]), "all");
    options(controls.band, Object.entries(data.bands).filter(([band]) => items.some((item) => item.drift_band === band)), "all");
    const statuses = sortedSet(items.flatMap((item) => item.statuses));
    options(controls.status, statuses.map((status) => [status, "any " + words(status)]), "all");
  }

  function matches(item, text) {
    if (controls.domain.value && item.domain !== controls.domain.value) return false;
    if (controls.band.value && item.drift_band !== controls.band.value) return false;
    if (controls.status.value && !item.statuses.includes(controls.status.value)) return false;
    if (!text) return true;
    const where = [item.id, item.title, item.fact_pattern, item.source_id, ...item.questions.map((question) => question.question)];
    return where.some((part) => part.toLocaleLowerCase().includes(text));
  }

  function fillList() {
    const run = currentRun();
    const found = run.items.filter((item) => matches(item, controls.find.value.trim().toLocaleLowerCase()));
    list.replaceChildren(
      ...found.map((item) => {
        const button = el("button", { type: "button", "data-item": item.id, "aria-current": open === item.id ? "true" : null },
          el("span", { lang: run.language }, item.title || item.id),
          el("span", { class: "meta" }, `${words(item.domain)} · ${item.decision_date} · ${data.bands[item.drift_band]}`));
        button.addEventListener("click", () => show(item, true));
        return button;
      }),
    );
    if (!found.length) list.append(el("p", { class: "empty" }, "No item fits."));
    byId("item-count").textContent = `${found.length} of ${run.items.length}`;
  }

  list.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, to))].focus();
  });

  function side(title, uri, parts, kept, mark, language) {
    const nodes = parts.filter(([kind]) => kind === "same" || kind === kept)
      .map(([kind, text]) => (kind === "same" ? text : el(mark, {}, text)));
    return el("div", {}, el("h5", {}, title), el("div", { class: "source", lang: language }, nodes), uri ? el("div", { class: "uri soft" }, uri) : null);
  }

  function sections(item, language) {
    if (!item.drifted.length) return [el("p", { class: "soft" }, "No cited section has changed since.")];
    return item.drifted.map((section) => [
      el("p", {}, el("strong", { lang: language }, section.name), " ", badge(words(section.drift), "bad"), section.loadbearing ? null : badge("background")),
      el("div", { class: "pair" },
        side(`In force ${section.valid_from || "from an unknown day"} – ${section.valid_to || "today"}`, section.in_force, section.parts, "old", "del", language),
        section.has_current
          ? side(`Current, ${item.corpus_date}`, section.current, section.parts, "new", "ins", language)
          : el("div", {}, el("h5", {}, `Current, ${item.corpus_date}`), el("p", { class: "soft" }, "No current text: the section or its law is no longer in force."))),
    ]);
  }

  // a citation that lists several sections has a row for each, and each row its own badges
  function citation(cited) {
    const badges = cited.found.map((row) => {
      const bad = row.version_class && !["exact", "background", "undecidable"].includes(row.version_class);
      return [
        row.part ? el("span", { class: "uri soft" }, ` ${row.part} `) : null,
        row.version_class ? badge(data.classes[row.version_class] || words(row.version_class), bad ? "bad" : "") : null,
        row.is_hit ? badge("hit", "good") : null,
        row.invented ? badge("invented " + row.invented, "bad") : null,
      ];
    });
    return el("li", {}, el("span", { class: "uri" }, cited.text || "(empty)"), " ", badges);
  }

  function gradeTable(grades, run) {
    const seats = (judge) => {
      const n = run.judges.filter((name) => name === run.judge_keys[judge]).length;
      return n > 1 ? ` (${n} seats)` : "";
    };
    const rows = grades.map((grade) => el("tr", {},
      el("td", { class: "text" }, (run.judge_keys[grade.judge] || grade.judge) + seats(grade.judge)),
      el("td", { class: "text" }, grade.status === "ok" ? grade.tier : words(grade.status)),
      el("td", {}, number(grade.score, 1)),
      el("td", { class: "text" }, grade.justification || "")));
    const head = [["Judge", "26%"], ["Tier", "14%"], ["Score", "10%"], ["Justification", "50%"]]
      .map(([name, width]) => el("th", { scope: "col", class: name === "Score" ? null : "text", width }, name));
    return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  }

  function answerBody(answer, item, run) {
    const body = [];
    if (answer.detail) body.push(el("p", { class: "warning" }, answer.detail));
    if (answer.raw) body.push(el("h4", {}, "What the model wrote"), source(answer.raw, run.language));
    if (answer.searches.length) {
      body.push(el("h4", {}, `Searches: ${answer.searches.length}`),
        el("ol", { class: "plain" }, answer.searches.map((search) => el("li", {},
          el("span", { lang: run.language }, search.query),
          el("details", {}, el("summary", { class: "soft" }, `${search.version_uris.length} results`),
            el("ol", { class: "plain" }, search.version_uris.map((uri) => el("li", {}, el("span", { class: "uri" }, uri)))))))));
    }
    if (answer.tool_call_errors) body.push(el("p", { class: "soft" }, `Failed tool calls: ${answer.tool_call_errors}`));
    item.questions.forEach((question, place) => {
      const n = place + 1;
      const sub = answer.subs.find((one) => one.n === n);
      const scores = answer.scores[n];
      if (!sub && !answer.grades[n]) return;
      body.push(el("h4", {}, `Sub-question ${n}`));
      if (sub) {
        body.push(el("p", { lang: run.language }, el("strong", {}, sub.verdict || "(no verdict)")), source(sub.reasoning, run.language));
        body.push(sub.citations.length ? el("ul", { class: "plain" }, sub.citations.map(citation)) : el("p", { class: "soft" }, "Cites nothing."));
      } else {
        body.push(el("p", { class: "soft" }, "Not answered."));
      }
      if (scores) {
        body.push(el("p", {}, `Panel median ${number(scores.score, 1)}`, scores.score === null ? ` (${words(scores.panel_status)})` : "",
          ` · citation F1 ${number(scores.citation_f1, 2)} (precision ${number(scores.citation_precision, 2)}, recall ${number(scores.citation_recall, 2)})`,
          ` · lexical ${number(scores.lexical_score, 2)}`,
          scores.agrees_with_court === null ? "" : scores.agrees_with_court ? " · agrees with the court" : " · differs from the court"));
      }
      if (answer.grades[n]) body.push(gradeTable(answer.grades[n], run));
    });
    const used = [["read", answer.usage.input_tokens], ["cached", answer.usage.cached_tokens], ["written", answer.usage.output_tokens], ["reasoning", answer.usage.reasoning_tokens]];
    const known = used.filter(([, n]) => n !== null).map(([name, n]) => `${n} ${name}`);
    if (known.length) body.push(el("p", { class: "soft note" }, `Tokens: ${known.join(", ")}`));
    return el("div", { class: "body" }, body);
  }

  function answerNode(answer, item, run) {
    const scored = Object.values(answer.scores).map((row) => row.score);
    const known = scored.filter((score) => score !== null);
    const mean = known.length ? (known.reduce((a, b) => a + b, 0) / known.length).toFixed(2) : "–";
    const model = run.models[answer.model];
    const node = el("details", { class: "answer" },
      el("summary", {}, el("strong", {}, data.settings[answer.setting]), el("span", {}, model ? model.name : answer.model),
        badge(words(answer.status), answer.status === "ok" ? "" : "bad"),
        scored.length ? el("span", { class: "right" }, `score ${mean}`, el("span", { class: "soft" }, ` (${known.length} of ${scored.length} scored)`)) : null));
    node.addEventListener("toggle", () => {
      if (node.open && node.children.length === 1) node.append(answerBody(answer, item, run)); // built when it is first opened
    });
    return node;
  }

  function itemNodes(item, run) {
    const language = run.language;
    const dates = item.law_date === item.decision_date ? `decided ${item.decision_date}` : `decided ${item.decision_date}, law of ${item.law_date}`;
    const questions = item.questions.map((question, place) => [
      el("h4", {}, `Sub-question ${place + 1}`, question.depends ? " (follows the one before)" : ""),
      source(question.question, language),
      el("div", { class: "court" },
        el("p", { class: "soft note" }, "The court"),
        el("p", { lang: language }, el("strong", {}, question.verdict)),
        source(question.reasoning, language),
        el("ul", { class: "plain" }, question.citations.map((cited) => el("li", {},
          el("span", { lang: language }, cited.name), " ",
          cited.drift && cited.drift !== "unchanged" ? badge(words(cited.drift), "bad") : null,
          cited.loadbearing ? null : badge("background"),
          cited.version ? el("div", { class: "uri soft" }, cited.version) : badge("not in the corpus"))))),
    ]);
    return [
      el("h3", { lang: language }, item.title || item.id),
      el("p", {}, badge(words(item.domain)), badge(data.bands[item.drift_band], item.drift_band === "no_drift" ? "" : "bad"),
        el("span", { class: "soft" }, `${item.court} ${item.source_id} · ${dates} · `), el("code", {}, item.id)),
      el("h4", {}, "Facts"), source(item.fact_pattern, language),
      questions,
      el("h4", {}, "Sections that have changed since"), sections(item, language),
      el("h4", {}, "Answers"),
      el("div", { id: "answers" }, el("p", { class: "soft" }, item.n_answers ? `Unpacking ${item.n_answers} answers …` : "None.")),
    ].flat(Infinity);
  }

  // the answers to an item: deflated JSON in base64, in a block of their own
  async function unpacked(item) {
    const bytes = Uint8Array.from(atob(byId(item.block).textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const { answers, versions } = JSON.parse(await new Response(stream).text());
    const named = (name) => (row) => Object.fromEntries(data.fields[name].map((field, place) => [field, row[place]]));
    for (const answer of answers) {
      for (const n of Object.keys(answer.scores)) answer.scores[n] = named("scores")(answer.scores[n]);
      for (const n of Object.keys(answer.grades)) answer.grades[n] = answer.grades[n].map(named("grades"));
      for (const cited of answer.subs.flatMap((sub) => sub.citations)) cited.found = cited.found.map(named("found"));
      for (const search of answer.searches) search.version_uris = search.versions.map((place) => versions[place]);
    }
    return answers;
  }

  async function fillAnswers(item, run) {
    const place = byId("answers"); // of this item: opening another one replaces it
    try {
      const answers = await unpacked(item);
      place.replaceChildren(...answers.map((answer) => answerNode(answer, item, run)));
    } catch (error) {
      place.replaceChildren(el("p", { class: "warning" }, `The answers cannot be unpacked (${error.message}); a browser of 2023 or later can.`));
    }
  }

  function show(item, byHand) {
    open = item.id;
    pane.replaceChildren(...itemNodes(item, currentRun()));
    if (item.n_answers) fillAnswers(item, currentRun());
    for (const button of list.querySelectorAll("button")) {
      if (button.dataset.item === item.id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    if (!byHand) return;
    pane.focus({ preventScroll: true });
    pane.scrollIntoView({ block: "start" });
  }

  options(controls.run, data.runs.map((run, place) => [String(place), run.run]));
  fillControls();
  fillList();
  if (currentRun().items.length) show(currentRun().items[0], false);
  controls.run.addEventListener("change", () => {
    for (const name of ["domain", "band", "status"]) controls[name].value = "";
    fillControls();
    fillList();
    show(currentRun().items[0], false);
  });
  for (const name of ["domain", "band", "status"]) controls[name].addEventListener("change", fillList);
  controls.find.addEventListener("input", fillList);
})();
