/** Starts the viewer of the API reference (@scalar/api-reference), prevents requests to other servers, and fixes its accessibility. */

/** Colours with enough contrast for WCAG 2.1 AA. Scrolling lists are unfolded, because the keyboard cannot reach them. */
const STYLE = `
.light-mode {
  --scalar-color-1: #1b2430; --scalar-color-2: #3d4857; --scalar-color-3: #4c5867; --scalar-color-accent: #1a4fb8;
  --scalar-color-green: #146c43; --scalar-color-red: #b42318; --scalar-color-yellow: #7a4a00; --scalar-color-blue: #1a4fb8;
  --scalar-color-orange: #8a4b00; --scalar-color-purple: #5b3cc4;
}
.dark-mode {
  --scalar-color-1: #e6eaf0; --scalar-color-2: #c3ccd8; --scalar-color-3: #b4bfcd; --scalar-color-accent: #8fb4ff;
  --scalar-color-green: #7dd3a0; --scalar-color-red: #ff9d92; --scalar-color-yellow: #f2bd73; --scalar-color-blue: #8fb4ff;
  --scalar-color-orange: #f2bd73; --scalar-color-purple: #c3b1ff;
}
.endpoints { overflow: visible !important; max-height: none !important; }
`;

/**
 * No telemetry, no external fonts, no vendor assistant, and no form for test requests, because API keys
 * do not belong in a page.
 */
const CONFIGURATION = {
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  customCss: STYLE,
};

export const REFERENCE_SCRIPT = `"use strict";
const place = document.getElementById("reference");
Scalar.createApiReference(place, {
  ...${JSON.stringify(CONFIGURATION)},
  url: new URL(place.dataset.description, document.baseURI).href,
});
const all = (selector) => document.querySelectorAll(selector);
function fixAccessibility() {
  // The copy buttons contain only an icon.
  for (const button of all(".scalar-code-copy button:not([aria-label]), button.scalar-code-copy:not([aria-label])"))
    button.setAttribute("aria-label", place.dataset.copy);
  // Voice control needs the visible words in the accessible name.
  for (const button of all("button.show-more[aria-label]")) {
    const [seen, label] = [button.textContent.trim(), button.getAttribute("aria-label")];
    if (!label.startsWith(seen)) button.setAttribute("aria-label", seen + ": " + label);
  }
  // Scrolling areas must be reachable with the keyboard.
  for (const card of all(".scalar-card-content.custom-scroll:not([tabindex])")) card.tabIndex = 0;
}
new MutationObserver(fixAccessibility).observe(document.body, { childList: true, subtree: true });
fixAccessibility();
`;
