/** The console's stylesheet: light and dark, from 360 px up, without external resources. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --panel: #ffffff; --line: #d5dae1; --text: #1b2430; --soft: #566273; --link: #1a4fb8;
  --accent: #1d4ed8; --on-accent: #ffffff; --danger: #b42318; --good: #146c43; --wait: #8a4b00; --bad: #b42318; --focus: #1d4ed8;
  --good-back: #e3f4ea; --wait-back: #fdf0dc; --bad-back: #fdecea; --calm-back: #e9edf3; --live: #b42318; --test: #5b3cc4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11161d; --panel: #1a212b; --line: #364153; --text: #e6eaf0; --soft: #a4b0c0; --link: #8fb4ff;
    --accent: #8fb4ff; --on-accent: #0d1420; --danger: #ff9d92; --good: #7fdca6; --wait: #f2bd73; --bad: #ff9d92; --focus: #8fb4ff;
    --good-back: #14301f; --wait-back: #38290f; --bad-back: #3b1a17; --calm-back: #273141; --live: #ff9d92; --test: #c3b1ff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; color: var(--text); background: var(--page); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .2rem; }
main:focus { outline: none; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
h4 { font-size: .9rem; margin: .9rem 0 .3rem; }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--panel); z-index: 2; }

header { background: var(--panel); border-bottom: 1px solid var(--line); }
[data-mode="live"] header { border-top: 4px solid var(--live); }
[data-mode="test"] header { border-top: 4px solid var(--test); }
.bar, .menu, main { max-width: 76rem; margin: 0 auto; padding-inline: 1rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding-block: .6rem; }
.brand { font-weight: 700; font-size: 1.2rem; color: var(--text); text-decoration: none; }
.mode { font-size: .8rem; letter-spacing: .04em; border: 2px solid; border-radius: .3rem; padding: 0 .5rem; }
.mode-live { color: var(--live); } .mode-test { color: var(--test); }
.tools { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-left: auto; }
.menu ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; }
.menu a { display: block; padding: .45rem 0 .4rem; color: var(--soft); text-decoration: none; border-bottom: 3px solid transparent; }
.menu a:hover { color: var(--text); border-color: var(--line); }
.menu a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
main { padding-block: 1.5rem 4rem; }

section, .panel { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1.25rem; }
.narrow { max-width: 32rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1.25rem; align-items: start; }
.empty, .hint { color: var(--soft); margin: 0; }
.hint { font-size: .9rem; margin-bottom: .35rem; }
.flash { border-left: 4px solid var(--good); background: var(--good-back); color: var(--text); padding: .6rem 1rem; margin: 0 0 1rem; }
.held { border-left: 4px solid var(--bad); background: var(--bad-back); color: var(--text); }
.held p { max-width: 76rem; margin: 0 auto; padding: .6rem 1rem; }
.problem { border-left: 4px solid var(--bad); background: var(--bad-back); padding: .6rem 1rem; margin: 0 0 1rem; }
.problem ul { margin: 0; padding-left: 1.25rem; }
.problem p { margin: 0 0 .4rem; } .problem p:last-child { margin: 0; }
.announcement { position: fixed; right: 1rem; bottom: 1rem; margin: 0; padding: .4rem .8rem; max-width: calc(100vw - 2rem); background: var(--text); color: var(--page); border-radius: .3rem; font-size: .9rem; }
.announcement:not(.trouble) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

form { margin: 0; }
label { display: block; font-weight: 600; font-size: .9rem; }
input, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: .3rem; padding: .4rem .5rem; width: 100%; min-height: 2.5rem; }
input[aria-invalid="true"], select[aria-invalid="true"] { border: 2px solid var(--bad); }
.mistake { color: var(--bad); font-weight: 600; font-size: .9rem; margin: .2rem 0 0; } .mistake::first-letter { text-transform: uppercase; }
input.tick { width: auto; min-height: 0; }
.short { max-width: 12rem; } td input { min-width: 6rem; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .75rem; align-items: end; }
.filters .wide { grid-column: 1 / -1; }
.filters .actions { grid-column: 1 / -1; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: .75rem; align-items: start; }
.address-fields { grid-template-columns: 2fr 2fr 1fr 1fr 1.5fr; }
.fields .beside { align-self: end; }
.note { border-left: 4px solid var(--wait); background: var(--wait-back); padding: .6rem 1rem; margin: 0 0 1rem; } .note p { margin: 0; }
.line { display: grid; grid-template-columns: minmax(10rem, 4fr) minmax(4.5rem, 1fr) minmax(5rem, 1fr) minmax(6rem, 1.3fr) minmax(8rem, 2fr) minmax(5rem, 1fr) auto; gap: .25rem .6rem; align-items: start; }
.line .moves { display: flex; gap: .25rem; padding-top: 1.35rem; } .line .moves button { padding: .4rem .7rem; }
.line + .line { margin-top: .5rem; } .line .hint, .line .mistake { font-size: .85rem; margin: .15rem 0 0; }
.line .income { grid-column: 1 / -1; }
.line label { white-space: nowrap; }
#totals { text-align: right; font-variant-numeric: tabular-nums; } #totals strong { font-size: 1.15rem; }
details .fields { margin-top: .5rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
button, .button { font: inherit; display: inline-block; min-height: 2.5rem; padding: .4rem .9rem; border: 1px solid var(--accent); border-radius: .3rem; background: var(--panel); color: var(--link); text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--calm-back); }
.primary { background: var(--accent); color: var(--on-accent); } .primary:hover { background: var(--accent); filter: brightness(1.1); }
.danger { border-color: var(--danger); color: var(--danger); }
body > button.plain { margin: 0 1rem 1.5rem; }
button.plain[aria-pressed="true"] { font-weight: 700; }
button.plain { border: 0; padding: .2rem 0; min-height: 0; background: none; color: var(--link); text-decoration: underline; text-underline-offset: .15em; }
.stack > * + * { margin-top: .75rem; } .stack > p { margin-bottom: 0; } .stack > p:first-child, .stack > input[type="hidden"] + * { margin-top: 0; }

table { width: 100%; border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-size: .82rem; color: var(--soft); font-weight: 600; overflow-wrap: normal; }
tbody tr:last-child td { border-bottom: 0; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number, td.firm, td .badge { white-space: nowrap; }
.listing { overflow: hidden; }
.terms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .75rem 1.25rem; margin: 0; }
dt { font-size: .82rem; color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.badge { display: inline-block; font-size: .85rem; font-weight: 600; padding: 0 .5rem; border-radius: .8rem; background: var(--calm-back); white-space: nowrap; }
.badge-issued, .badge-active, .badge-enabled, .badge-delivered, .badge-ok { color: var(--good); background: var(--good-back); }
.badge-pending, .badge-held, .badge-transient, .badge-unknown { color: var(--wait); background: var(--wait-back); }
.badge-rejected, .badge-failed, .badge-invalid, .badge-disabled, .badge-refused { color: var(--bad); background: var(--bad-back); }
.stage, .soft { color: var(--soft); font-size: .9rem; }
.error-text code { color: var(--bad); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: .88em; }
code, .address { overflow-wrap: anywhere; }
pre { margin: 0; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; }
.address { display: block; padding: .75rem; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; user-select: all; }
ol.timeline { margin: 0; padding: 0; list-style: none; }
.timeline li { border-left: 3px solid var(--line); padding: 0 0 .6rem .8rem; } .timeline li:last-child { border-color: var(--accent); padding-bottom: 0; }
.todo { margin: 0; padding: 0; list-style: none; }
.todo li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; justify-content: space-between; align-items: center; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.todo li:last-child { border: 0; padding-bottom: 0; }
.todo div { flex: 1 1 16rem; }
.pager { display: flex; gap: .5rem; margin-top: 1rem; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none; }
.counts a { display: block; border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; text-decoration: none; color: var(--text); }
.counts a:hover { border-color: var(--accent); }
.counts strong { display: block; font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.chart { width: 100%; height: 9rem; display: block; }
.choices { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 .75rem; padding: 0; list-style: none; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0; padding: 0; list-style: none; font-size: .9rem; }
.legend svg { width: .8rem; height: .8rem; margin-right: .35rem; }
.rate-0 { fill: var(--accent); } .rate-1 { fill: var(--wait); } .rate-2 { fill: var(--good); } .rate-3 { fill: var(--test); } .rate-4 { fill: var(--bad); } .rate-5 { fill: var(--soft); }
.chart rect:not([class]) { fill: var(--accent); } .chart .below { fill: var(--wait); } .chart line { stroke: var(--line); }
.ends { display: flex; justify-content: space-between; color: var(--soft); font-size: .82rem; margin: .2rem 0 .6rem; }
summary { cursor: pointer; color: var(--link); padding: .25rem 0; }

@media (min-width: 60.01rem) {
  .line + .line label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .line + .line .moves { padding-top: 0; }
}
@media (max-width: 60rem) {
  table, thead, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { border-bottom: 1px solid var(--line); padding: .6rem 0; } tbody tr:last-child { border: 0; }
  td, td.number, td.firm { border: 0; padding: .1rem 0; text-align: left; white-space: normal; display: grid; grid-template-columns: minmax(7rem, 30%) 1fr; gap: .75rem; }
  td::before { content: attr(data-head); color: var(--soft); font-size: .82rem; line-height: 1.3; padding-top: .2rem; }
  td:empty { display: none; }
  .address-fields { grid-template-columns: 1fr 1fr; }
  .line { grid-template-columns: 1fr 1fr; border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; }
  .line .description { grid-column: 1 / -1; }
  .line .moves { align-self: end; justify-content: end; }
  main { padding-block-start: 1rem; }
  section, .panel { padding: .8rem; }
}
@media print { header, .announcement, button, .button { display: none; } section { border: 0; padding: 0; } }
`;
