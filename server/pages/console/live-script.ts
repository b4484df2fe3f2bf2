/** The script of every console page. */

/**
 * Refreshes the marked parts of a page every few seconds while it is visible. It fetches the page itself; an unchanged page is a 304.
 * The console also works without it, by reloading.
 */
const LIVE_SCRIPT = `"use strict";
(() => {
  const INTERVAL_MS = 3000;
  const INTERVAL_MS_MAX = 60000;
  const ANNOUNCE_MS = 10000;
  const announcement = document.getElementById("announcement");
  if (announcement === null || document.querySelector("[data-live]") === null) return;

  let etag = null;
  let interval = INTERVAL_MS;
  let timer = 0;
  let announcedAt = 0;
  let isOver = false;

  // Users of magnifiers and screen readers may want a page that does not change.
  const pause = document.createElement("button");
  pause.type = "button";
  pause.className = "plain";
  pause.textContent = announcement.dataset.pause;
  let isPaused = sessionStorage.getItem("fiscal-paused") === "true";
  pause.setAttribute("aria-pressed", String(isPaused));
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    sessionStorage.setItem("fiscal-paused", String(isPaused));
    pause.setAttribute("aria-pressed", String(isPaused));
    schedule();
  });
  announcement.before(pause);

  function announce(text, isTrouble) {
    announcement.classList.toggle("trouble", isTrouble);
    if (isTrouble || Date.now() - announcedAt > ANNOUNCE_MS) {
      announcedAt = Date.now();
      announcement.textContent = text;
    }
  }

  // The element of the new part that matches the focused one: the same link, button or summary.
  function counterpart(part, element) {
    const form = element.closest("form");
    return [...part.querySelectorAll("a, button, summary, input, [tabindex]")].find((candidate) =>
      candidate.tagName === element.tagName &&
      candidate.getAttribute("href") === element.getAttribute("href") &&
      candidate.textContent === element.textContent &&
      candidate.closest("form")?.action === form?.action &&
      candidate.closest("[id]")?.id === element.closest("[id]")?.id);
  }

  function isInUse(part) {
    if (part.querySelector("input:checked") !== null) return true;
    const selection = getSelection();
    return selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode);
  }

  // False if the part is in use, which postpones the replacement.
  function replace(old, fresh) {
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const next = focused === null ? null : counterpart(fresh, focused);
    if (isInUse(old) || next === undefined) return false;
    for (const open of old.querySelectorAll("details[open][id]")) {
      fresh.querySelector("#" + CSS.escape(open.id))?.setAttribute("open", "");
    }
    old.replaceWith(document.adoptNode(fresh));
    next?.focus({ preventScroll: true });
    return true;
  }

  function update(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    let changed = 0;
    let kept = 0;
    for (const old of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(old.id);
      if (fresh === null) continue;
      const before = old.cloneNode(true);
      for (const open of before.querySelectorAll("details[open]")) open.removeAttribute("open");
      if (fresh.isEqualNode(before)) continue;
      if (replace(old, fresh)) changed += 1;
      else kept += 1;
    }
    if (changed > 0) announce(announcement.dataset.updated, false);
    return kept === 0;
  }

  async function refresh() {
    // Only for this session: another session in the same browser may be in the other mode.
    const headers = { "x-fiscal-live": document.documentElement.dataset.visit };
    if (etag !== null) headers["if-none-match"] = etag;
    const response = await fetch(location.href, { headers, cache: "no-store", redirect: "error" });
    if (response.status === 401) {
      isOver = true;
      announce(announcement.dataset.ended, true);
    } else if (response.status === 200) {
      etag = update(await response.text()) ? response.headers.get("etag") : null;
    } else if (response.status !== 304) {
      throw new Error("unexpected response");
    }
  }

  async function run() {
    try {
      await refresh();
      if (interval !== INTERVAL_MS && !isOver) {
        // Announce the recovery to users who heard about the loss.
        announcedAt = 0;
        announce(announcement.dataset.updated, false);
      }
      interval = INTERVAL_MS;
    } catch {
      interval = Math.min(interval * 2, INTERVAL_MS_MAX);
      announce(announcement.dataset.lost, true);
    }
    schedule();
  }

  function schedule() {
    clearTimeout(timer);
    if (!isOver && !isPaused && document.visibilityState === "visible") timer = setTimeout(run, interval);
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (!isOver && !isPaused && document.visibilityState === "visible") run();
  });
  schedule();
})();
`;

/**
 * The script of short forms (`data-keep`): what was typed stays with the entry of the history, so it survives a reload and the back
 * button. Without scripts the browser itself does that, unless `autocomplete` is off.
 */
const KEEP_SCRIPT = `"use strict";
(() => {
  for (const form of document.querySelectorAll("form[data-keep]")) {
    // So that the browser does not suggest what was typed for others.
    form.autocomplete = "off";
    const typed = [...form.querySelectorAll("input:not([type=hidden], [type=file]), select")];
    for (const [name, value] of history.state?.typed ?? []) {
      const field = typed.find((one) => one.name === name);
      if (field !== undefined) field.value = value;
    }
    const keep = () => history.replaceState({ typed: typed.map(({ name, value }) => [name, value]) }, "");
    form.addEventListener("change", keep);
    addEventListener("beforeunload", keep);
  }
})();
`;

export const CONSOLE_SCRIPT = LIVE_SCRIPT + KEEP_SCRIPT;
