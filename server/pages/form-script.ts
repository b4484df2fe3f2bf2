/**
 * The script of a form that is answered after a while: says that it is being worked on, and keeps it from being sent twice.
 * Without it the form does the same, silently. The words stand in the form: `data-busy`.
 */
export const FORM_SCRIPT = `"use strict";
for (const form of document.querySelectorAll("form[data-busy]")) {
  const button = form.querySelector("button");
  const status = form.querySelector("[role=status]");
  const label = button.textContent;
  form.addEventListener("submit", (event) => {
    if (button.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      return;
    }
    button.setAttribute("aria-disabled", "true");
    button.textContent = form.dataset.busyButton;
    status.textContent = form.dataset.busy;
  });
  // A page that the browser brings back as it was left is ready again.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    button.removeAttribute("aria-disabled");
    button.textContent = label;
    status.textContent = "";
  });
}
const problem = document.getElementById("problem");
if (problem !== null) problem.focus();
`;
