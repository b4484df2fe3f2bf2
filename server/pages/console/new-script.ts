/**
 * The script of the form for a new document: totals while typing, details of customers, lines by keyboard, and what was
 * typed after a reload or the back button. The server reads and computes everything; the form works without the script.
 */
export const NEW_SCRIPT = `"use strict";
(() => {
  const form = document.getElementById("new");
  const rows = document.getElementById("rows");
  const announcement = document.getElementById("announcement");
  const PAUSE_MS = 300;

  document.getElementById("keys").hidden = false;
  // So that the browser does not suggest what was typed for others. What was typed is kept below.
  form.autocomplete = "off";

  function fieldsOf() {
    return new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  }

  // The page with which the server answers; null if it does not.
  async function ask(path, fields) {
    try {
      const response = await fetch(path, { method: "POST", body: fields, redirect: "error" });
      return new DOMParser().parseFromString(await response.text(), "text/html");
    } catch {
      return null;
    }
  }

  // The totals, from the server, so that they are those of the preview.
  let timer = 0;
  let asked = 0;
  async function showTotals() {
    asked += 1;
    const mine = asked;
    const fresh = (await ask("/console/new/totals", fieldsOf()))?.getElementById("totals");
    const shown = document.getElementById("totals");
    if (mine === asked && fresh && fresh.textContent !== shown.textContent)
      shown.replaceChildren(...document.adoptNode(fresh).childNodes);
  }

  // Name and address of the customer, or what is wrong with the number, from the server. What was typed meanwhile stays.
  const DETAILS = ["former", "former_name", "former_address", "customer_name", "customer_street", "customer_number", "customer_postal_code", "customer_city"];
  const ADDRESS = DETAILS.slice(4);
  // What is typed belongs to the number as well, and goes with it.
  function noteFormer() {
    if (form.elements.former.value === "") return;
    form.elements.former_name.value = form.elements.customer_name.value;
    form.elements.former_address.value = ADDRESS.map((name) => form.elements[name].value).join("|");
  }
  async function findCustomer() {
    const sent = fieldsOf();
    const page = await ask("/console/new/customer", sent);
    const found = page?.getElementById("new");
    const field = form.elements.customer;
    if (!found || field.value.trim() !== sent.get("customer").trim()) return;
    for (const name of DETAILS)
      if (form.elements[name].value === sent.get(name)) form.elements[name].value = found.elements[name].value;
    noteFormer();
    document.getElementById("customer-mistake")?.remove();
    const mistake = page.getElementById("customer-mistake");
    if (mistake !== null) field.after(document.adoptNode(mistake));
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = found.elements.customer.getAttribute(name);
      if (value === null) field.removeAttribute(name);
      else field.setAttribute(name, value);
    }
    if (mistake !== null) announcement.textContent = mistake.textContent;
    document.getElementById("notes").replaceChildren(...document.adoptNode(page.getElementById("notes")).childNodes);
    keep();
  }

  // Row numbers are the last part of names and ids, and the only number in labels.
  function renumber() {
    [...rows.children].forEach((row, index) => {
      const number = String(index + 1);
      for (const element of [row, ...row.querySelectorAll("*")]) {
        for (const name of ["id", "name", "for", "aria-describedby"]) {
          const value = element.getAttribute(name);
          if (value !== null) element.setAttribute(name, value.replace(/-[0-9]+(?=$|-)/, "-" + number));
        }
        for (const name of ["aria-label", "title"]) {
          const value = element.getAttribute(name);
          if (value !== null) element.setAttribute(name, value.replace(/[0-9]+/, number));
        }
        if (element.tagName === "BUTTON") element.value = element.value.replace(/-[0-9]+$/, "-" + number);
      }
    });
  }

  function move(row, by) {
    const focused = document.activeElement;
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (other === null) return;
    if (by < 0) other.before(row);
    else other.after(row);
    renumber();
    focused.focus();
    announcement.textContent = rows.dataset.moved + " " + ([...rows.children].indexOf(row) + 1);
    changed();
  }

  // An empty line, with the VAT of the one before it.
  function insert(place, before) {
    const row = document.getElementById("row").content.firstElementChild.cloneNode(true);
    row.querySelector('[name^="vat-"]').value = before.querySelector('[name^="vat-"]').value;
    place(row);
    renumber();
    return row;
  }

  function add() {
    const last = rows.lastElementChild;
    insert((row) => last.after(row), last).querySelector("input").focus();
    changed();
  }

  function remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? insert((fresh) => row.after(fresh), row);
    row.remove();
    renumber();
    next.querySelector("input").focus();
    changed();
  }

  form.addEventListener("click", (event) => {
    const button = event.target.closest('button[name="act"]');
    if (button === null) return;
    const [act] = button.value.split("-");
    const row = button.closest(".line");
    if (act === "add") add();
    else if (act === "up") move(row, -1);
    else if (act === "down") move(row, 1);
    else if (act === "remove") remove(row);
    else return;
    event.preventDefault();
  });

  rows.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Alt+arrow opens a menu.
    const isMenu = event.target.tagName === "SELECT";
    const row = event.target.closest(".line");
    if (event.key === "Enter") add();
    else if (event.key === "ArrowUp" && !isMenu) move(row, -1);
    else if (event.key === "ArrowDown" && !isMenu) move(row, 1);
    else return;
    event.preventDefault();
  });

  // What was typed stays with this entry of the history, so it survives a reload and the back button. It has the form's key, and
  // issues only once. The address names the key, and the merchant for whom the server then shows the form.
  function keep() {
    const fields = [...fieldsOf()].filter(([name]) => name !== "csrf");
    const here = new URL(location.href);
    for (const name of ["merchant", "key"]) here.searchParams.set(name, form.elements[name].value);
    history.replaceState({ fields, rows: rows.children.length }, "", here);
  }
  function restore() {
    const kept = history.state;
    if (!Array.isArray(kept?.fields)) return;
    while (rows.children.length < kept.rows) insert((row) => rows.append(row), rows.lastElementChild);
    while (rows.children.length > kept.rows) rows.lastElementChild.remove();
    for (const [name, value] of kept.fields) {
      const field = form.elements[name];
      if (field !== undefined) field.value = value;
    }
    showTotals();
  }

  // Not at every key, because browsers limit how often the history is changed.
  function changed() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      keep();
      showTotals();
    }, PAUSE_MS);
  }
  form.addEventListener("input", changed);
  form.addEventListener("change", (event) => {
    if (event.target.name === "customer") findCustomer();
    else if (DETAILS.includes(event.target.name)) noteFormer();
    keep();
  });
  addEventListener("beforeunload", keep);
  restore();
  // At once: a browser that leaves the page does not take a new address any more.
  keep();
})();
`;
