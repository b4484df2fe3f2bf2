/** Starts the viewer of the API reference (openapi-explorer) in the colours that the visitor's system prefers. */

/** Colours with enough contrast for WCAG 2.1 AA; the viewer derives the others. */
const COLOURS = {
  light: {
    "bg-color": "#ffffff",
    "text-color": "#1b2430",
    "primary-color": "#1a4fb8",
    "secondary-color": "#1a4fb8",
    "nav-bg-color": "#f3f5f8",
    "nav-text-color": "#1b2430",
    "nav-hover-bg-color": "#dfe5ee",
    "nav-hover-text-color": "#1b2430",
  },
  dark: {
    "bg-color": "#14181f",
    "text-color": "#e6eaf0",
    "primary-color": "#8fb4ff",
    "secondary-color": "#8fb4ff",
    "nav-bg-color": "#1b212b",
    "nav-text-color": "#e6eaf0",
    "nav-hover-bg-color": "#2a3342",
    "nav-hover-text-color": "#ffffff",
  },
};

/** Of methods, types and code, for which the viewer has no attributes. */
const STYLE = `
body { margin: 0; }
openapi-explorer {
  --green: #146c43; --red: #b42318; --orange: #8a4b00; --yellow: #7a4a00; --blue: #1a4fb8; --purple: #5b3cc4; --pink: #a11d5b; --gray: #4c5867;
  --inline-code-fg: #9c1c1c; --placeholder-color: #4c5867; --light-fg: #4c5867; --fg3: #3d4857;
}
@media (prefers-color-scheme: dark) {
  body { background: #14181f; }
  openapi-explorer {
    --green: #7dd3a0; --red: #ff9d92; --orange: #f2bd73; --yellow: #f2d273; --blue: #8fb4ff; --purple: #c3b1ff; --pink: #ffa3cd; --gray: #b4bfcd;
    --light-green: #15301f; --light-red: #3b1a17; --light-orange: #33240f; --light-yellow: #332c0f; --light-blue: #16233d; --light-purple: #241d3d;
    --light-gray: #222a35; --inline-code-fg: #ffb3a9; --placeholder-color: #b4bfcd; --light-fg: #b4bfcd; --fg3: #c3ccd8;
    --code-fg: #c3ccd8; --code-property-color: #ffa3cd; --code-keyword-color: #8fb4ff; --code-operator-color: #f2bd73;
  }
}
`;

/** No forms for keys and test requests, because API keys do not belong in a page. */
const SETTINGS = {
  "hide-console": "",
  "hide-authentication": "",
  "hide-server-selection": "",
  "schema-expand-level": "2",
};

export const REFERENCE_SCRIPT = `"use strict";
const place = document.getElementById("reference");
const viewer = document.createElement("openapi-explorer");
const isDark = matchMedia("(prefers-color-scheme: dark)");
const colours = ${JSON.stringify(COLOURS)};
function set(attributes) {
  for (const [name, value] of Object.entries(attributes)) viewer.setAttribute(name, value);
}
function colour() {
  set(isDark.matches ? colours.dark : colours.light);
}
const style = document.createElement("style");
style.textContent = ${JSON.stringify(STYLE)};
document.head.append(style);
set(${JSON.stringify(SETTINGS)});
set({ "spec-url": new URL(place.dataset.description, document.baseURI).href });
colour();
isDark.addEventListener("change", colour);
place.append(viewer);
`;
