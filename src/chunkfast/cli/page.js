"use strict";
// Without this script the page can be read, and its links work for the first column; with it, columns move together.
const sections = [...document.querySelectorAll("main > section")];
const visible = () => sections.filter(section => section.offsetParent);
const order = element => [Number(element.dataset.document), Number(element.dataset.start)];

function show(place) {
  for (const section of visible()) {
    const articles = section.querySelectorAll("article");
    let low = 0, high = articles.length;
    while (low < high) {  // the last one that begins at or before the place
      const middle = (low + high) >> 1, [d, start] = order(articles[middle]);
      if (d < place[0] || (d === place[0] && start <= place[1])) low = middle + 1; else high = middle;
    }
    mark(articles[Math.max(low - 1, 0)]);
  }
}

function mark(article) {
  if (!article) return;
  const section = article.closest("section");
  section.querySelector(".now")?.classList.remove("now");
  article.classList.add("now");
  article.scrollIntoView({block: "start"});
}

document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (!link) return;
  event.preventDefault();
  history.replaceState(null, "", link.hash);
  show(order(link.closest("[data-start]")));
});

const search = document.querySelector("input[type=search]");
search.hidden = false;
search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  const ranges = [];
  for (const article of document.querySelectorAll("article")) {
    article.hidden = wanted !== "" && !article.textContent.toLowerCase().includes(wanted);
    if (wanted === "" || article.hidden || ranges.length > 5000) continue;
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
      const text = node.data.toLowerCase();
      if (text.length !== node.length) continue;  // a letter that grows in lower case: places differ
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        ranges.push(range);
      }
    }
  }
  if (globalThis.Highlight) CSS.highlights.set("found", new Highlight(...ranges));
});

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key === "Escape") search.blur();
  } else if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (event.key === "j" || event.key === "k") {
    const first = visible()[0];
    const shown = [...(first?.querySelectorAll("article:not([hidden])") ?? [])];
    const now = shown.findIndex(article => article.classList.contains("now"));
    const next = shown[event.key === "j" ? now + 1 : Math.max(now - 1, 0)];
    if (next) show(order(next));
  } else if (/^[1-9]$/.test(event.key)) {
    document.getElementById("show-" + (event.key - 1))?.click();
  }
});

const target = location.hash && document.getElementById(location.hash.slice(1));
if (target) show(order(target));
