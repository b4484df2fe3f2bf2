/**
 * The script of slow forms: shows that the form is being processed, and prevents sending it twice.
 * The form also works without it. The texts are attributes of the form: `data-busy`.
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
  // A page restored from the back/forward cache becomes usable again.
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
