/**
 * The script of short forms (`data-keep`): what was typed stays with the entry of the history, so it survives a reload and the back
 * button. Without scripts the browser itself does that, unless `autocomplete` is off.
 */
export const KEEP_SCRIPT = `"use strict";
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
