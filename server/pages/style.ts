/** The stylesheet of the pages: light, dark and print, from 360 px up, with contrasts that meet WCAG 2.1 AA. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --panel: #ffffff; --line: #d5dae1; --text: #1b2430; --soft: #566273; --link: #1a4fb8;
  --accent: #1d4ed8; --on-accent: #ffffff; --good: #146c43; --bad: #b42318; --test: #5b3cc4; --live: #b42318;
  --good-back: #e3f4ea; --bad-back: #fdecea; --test-back: #f0ecfc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11161d; --panel: #1a212b; --line: #364153; --text: #e6eaf0; --soft: #a4b0c0; --link: #8fb4ff;
    --accent: #8fb4ff; --on-accent: #0d1420; --good: #7dd3a0; --bad: #ff9d92; --test: #c3b1ff; --live: #ff9d92;
    --good-back: #14301f; --bad-back: #3b1a17; --test-back: #261f42;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; color: var(--text); background: var(--page); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
header, main { max-width: 42rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding-block: 1rem; }
.brand { font-weight: 700; font-size: 1.1rem; }
main { padding-bottom: 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 0 0 .4rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: 1.25rem; margin: 0 0 1.25rem; }
section > :last-child, .note > :last-child, .done > :last-child, .problem > :last-child { margin-bottom: 0; }
.soft { color: var(--soft); }
.mode { display: inline-block; font-size: .85rem; font-weight: 600; border: 2px solid; border-radius: .3rem; padding: 0 .5rem; }
.mode-live { color: var(--live); } .mode-test { color: var(--test); }
.note { border-left: 4px solid var(--test); background: var(--test-back); padding: .75rem 1rem; margin: 0 0 1.25rem; }
.problem { border-left: 4px solid var(--bad); background: var(--bad-back); padding: .75rem 1rem; margin: 0 0 1.25rem; }
.problem h2 { color: var(--bad); }
.problem ul { margin: 0 0 .75rem; padding-left: 1.25rem; }
.done { border-left: 4px solid var(--good); background: var(--good-back); padding: .75rem 1rem; margin: 0 0 1.25rem; }
ol.steps { margin: 0 0 1rem; padding-left: 1.25rem; }
ol.steps li { margin: 0 0 .25rem; }
fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: 0 0 1rem; padding: .75rem 1rem; min-width: 0; }
fieldset .field:last-child { margin-bottom: 0; }
legend { font-weight: 600; padding: 0 .35rem; }
.field { margin: 0 0 1.1rem; }
label { display: block; font-weight: 600; }
.hint { color: var(--soft); font-size: .9rem; margin: 0 0 .35rem; }
.mistake { color: var(--bad); font-weight: 600; font-size: .9rem; margin: 0 0 .35rem; }
input { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: .3rem; padding: .55rem .6rem; width: 100%; min-height: 2.75rem; }
input[aria-invalid="true"] { border: 2px solid var(--bad); }
button, .button { font: inherit; font-weight: 600; display: inline-block; min-height: 2.75rem; padding: .6rem 1.25rem; border: 0; border-radius: .3rem; background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; }
button[aria-disabled="true"] { cursor: progress; background: var(--soft); color: var(--page); }
.busy { margin: .75rem 0 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.5rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  section { padding: 1rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; }
  form button { width: 100%; }
}
@media print {
  body { background: none; } header a, form, .button { display: none; } section, .note { border: 1px solid; background: none; }
}
`;
