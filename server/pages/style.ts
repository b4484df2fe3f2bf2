/**
 * The stylesheet of every page: light, dark and print, from 360 px up, with contrasts that meet WCAG 2.1 AA. Its order: tokens,
 * elements, parts, the frames of standalone pages and of the console, single pages, small screens, paper.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --panel: #ffffff; --line: #d8dde5; --text: #1b2430; --soft: #566273; --link: #1a4fb8;
  --accent: #1d4ed8; --on-accent: #ffffff; --good: #146c43; --wait: #8a4b00; --bad: #b42318; --test: #5b3cc4; --live: #a61b12; --on-live: #ffffff;
  --good-back: #e3f4ea; --wait-back: #fdf0dc; --bad-back: #fdecea; --calm-back: #e9edf3; --test-back: #f0ecfc;
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem;
  --tiny: .8125rem; --small: .9rem; --large: 1.125rem; --title: 1.5rem; --round: .4rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11161d; --panel: #1a212b; --line: #364153; --text: #e6eaf0; --soft: #a4b0c0; --link: #8fb4ff;
    --accent: #8fb4ff; --on-accent: #0d1420; --good: #7fdca6; --wait: #f2bd73; --bad: #ff9d92; --test: #c3b1ff;
    --good-back: #14301f; --wait-back: #38290f; --bad-back: #3b1a17; --calm-back: #273141; --test-back: #261f42;
  }
}

*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; color: var(--text); background: var(--page); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
main:focus { outline: none; }
h1 { font-size: var(--title); line-height: 1.25; margin: 0 0 var(--s4); overflow-wrap: anywhere; }
h2 { font-size: var(--large); line-height: 1.3; margin: 0 0 var(--s3); }
h3 { font-size: 1rem; margin: var(--s4) 0 var(--s2); }
h4 { font-size: var(--small); margin: var(--s4) 0 var(--s1); }
section { background: var(--panel); border: 1px solid var(--line); border-radius: var(--round); padding: var(--s4); margin: 0 0 var(--s4); }
form { margin: 0; }
label { display: block; font-weight: 600; font-size: var(--small); }
input, select, textarea { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft); border-radius: .3rem; padding: .4rem .5rem; width: 100%; min-height: 2.5rem; }
[aria-invalid="true"] { border: 2px solid var(--bad); }
input[type="checkbox"] { width: auto; min-height: 0; } label.check { font-weight: 400; } .logo { max-width: 16rem; max-height: 8rem; background: #fff; padding: var(--s2); }
button, .button { font: inherit; display: inline-block; min-height: 2.5rem; padding: .4rem .9rem; border: 1px solid var(--accent); border-radius: .3rem; background: var(--panel); color: var(--link); text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--calm-back); }
.primary { background: var(--accent); color: var(--on-accent); font-weight: 600; } .primary:hover { background: var(--accent); filter: brightness(1.1); }
.danger { border-color: var(--bad); color: var(--bad); }
[aria-busy="true"] button { cursor: progress; background: var(--soft); border-color: var(--soft); color: var(--page); }
button.plain { border: 0; padding: .2rem 0; min-height: 0; background: none; color: var(--link); text-decoration: underline; text-underline-offset: .15em; }
button.plain[aria-pressed="true"] { font-weight: 700; }
fieldset { border: 1px solid var(--line); border-radius: var(--round); margin: 0 0 var(--s4); padding: var(--s3) var(--s4); min-width: 0; }
legend { font-weight: 600; padding: 0 .35rem; }
summary { cursor: pointer; color: var(--link); padding: var(--s1) 0; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: .88em; overflow-wrap: anywhere; }
pre, .address { display: block; margin: 0; padding: var(--s3); white-space: pre-wrap; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; }
.address { user-select: all; overflow-wrap: anywhere; }

.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: fixed; left: var(--s4); top: var(--s2); padding: var(--s2) var(--s4); background: var(--panel); z-index: 3; }
.brand { font-weight: 700; font-size: 1.2rem; color: inherit; text-decoration: none; }
.mode { font-size: var(--tiny); font-weight: 700; letter-spacing: .04em; border: 2px solid; border-radius: .3rem; padding: 0 var(--s2); white-space: nowrap; }
.mode-live { color: var(--bad); } .mode-test { color: var(--test); }
.soft, .stage, .hint, .empty { color: var(--soft); font-size: var(--small); }
.hint { margin: 0 0 .35rem; } .empty { margin: 0; font-size: 1rem; }
.mistake { color: var(--bad); font-weight: 600; font-size: var(--small); margin: .2rem 0 0; }
.note, .problem, .flash, .done, .held { border-left: 4px solid; padding: .6rem var(--s4); margin: 0 0 var(--s4); }
.note { border-color: var(--wait); background: var(--wait-back); }
.problem, .held { border-color: var(--bad); background: var(--bad-back); }
.flash, .done { border-color: var(--good); background: var(--good-back); }
:is(.note, .problem, .flash, .done, .held) > * { margin: 0 0 var(--s2); } :is(.note, .problem, .flash, .done, .held) > :last-child { margin: 0; }
.problem ul { padding-left: 1.25rem; }
.error-text code { color: var(--bad); }
.stack > * + * { margin-top: var(--s3); } .stack > p { margin-bottom: 0; } .stack > p:first-child, .stack > input[type="hidden"] + * { margin-top: 0; }
.actions { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; }
.narrow { max-width: 32rem; } .short { max-width: 12rem; } td input:not([type="checkbox"]) { min-width: 6rem; }
.badge { display: inline-block; font-size: var(--tiny); font-weight: 600; padding: 0 var(--s2); border-radius: .8rem; background: var(--calm-back); white-space: nowrap; }
.badge-issued, .badge-active, .badge-enabled, .badge-delivered, .badge-ok { color: var(--good); background: var(--good-back); }
.badge-pending, .badge-held, .badge-transient, .badge-unknown { color: var(--wait); background: var(--wait-back); }
.badge-rejected, .badge-failed, .badge-invalid, .badge-disabled, .badge-refused { color: var(--bad); background: var(--bad-back); }

table { width: 100%; border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; }
th { font-size: var(--tiny); color: var(--soft); font-weight: 600; overflow-wrap: normal; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover { background: color-mix(in srgb, var(--calm-back) 40%, transparent); }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number, td.firm, td .badge, td time { white-space: nowrap; }
td.long { width: 16%; max-width: 1px; } td.long > div { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.console main > .actions { margin-bottom: var(--s4); }
.listing { overflow: hidden; padding: var(--s2); } .listing > .empty, .listing > h2 { padding: var(--s2); margin: 0; }
.terms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: var(--s3) var(--s5); margin: 0; }
dt { font-size: var(--tiny); color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }

.plain-page header, .plain-page main { max-width: 42rem; margin: 0 auto; padding: 0 var(--s4); }
.plain-page header { display: flex; justify-content: space-between; align-items: center; gap: var(--s4); padding-block: var(--s4); }
.plain-page main { padding-bottom: 4rem; }
.plain-page p { margin: 0 0 var(--s3); overflow-wrap: anywhere; }
.plain-page section > :last-child { margin-bottom: 0; }
.plain-page .note { border-color: var(--test); background: var(--test-back); }
.plain-page .field { margin: 0 0 1.1rem; }
ol.steps { margin: 0 0 var(--s4); padding-left: 1.25rem; }
.busy { margin: var(--s3) 0 0; }

.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s3); padding: var(--s2) var(--s4); min-height: 3.25rem; background: var(--panel); border-bottom: 1px solid var(--line); }
[data-mode="test"] .top { background: var(--test-back); border-bottom: 3px solid var(--test); }
[data-mode="live"] .top { background: var(--live); border-color: var(--live); }
[data-mode="live"] .top, [data-mode="live"] .top :is(.mode, button.plain, summary) { color: var(--on-live); }
[data-mode="live"] .top :focus-visible { outline-color: var(--on-live); }
.tools { display: flex; flex-wrap: wrap; gap: 0 var(--s4); margin-left: auto; }
.burger summary { font-weight: 600; }
.shop { position: relative; min-width: 0; font-weight: 600; } .shop > summary { overflow-wrap: anywhere; }
.shop form { position: absolute; left: 0; top: 100%; width: min(22rem, calc(100vw - 2rem)); padding: var(--s4); color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: var(--round); box-shadow: 0 .5rem 1.5rem rgb(0 0 0 / .25); }
[data-mode="live"] .top .shop :is(select, label) { color: var(--text); }
.menu { padding: var(--s3); background: var(--panel); border-bottom: 1px solid var(--line); }
.menu p { margin: var(--s4) var(--s3) var(--s1); font-size: var(--tiny); color: var(--soft); } .menu p:first-child { margin-top: 0; }
.menu ul { margin: 0; padding: 0; list-style: none; }
.menu a { display: block; padding: .35rem var(--s3); border-radius: .3rem; color: var(--text); text-decoration: none; }
.menu a:hover { background: var(--calm-back); }
.menu a[aria-current] { background: var(--calm-back); font-weight: 600; box-shadow: inset 3px 0 var(--accent); }
.console main { max-width: 82rem; padding: var(--s5) var(--s5) 4rem; min-width: 0; }
.console > button.plain { justify-self: start; margin: 0 var(--s5) var(--s5); }
.announcement { position: fixed; right: var(--s4); bottom: var(--s4); margin: 0; padding: .4rem .8rem; max-width: calc(100vw - 2rem); background: var(--text); color: var(--page); border-radius: .3rem; font-size: var(--small); }
.announcement:not(.trouble) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 var(--s4); align-items: start; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); gap: var(--s3); align-items: start; }
.filters .wide, .filters .actions { grid-column: span 2; } .filters .actions { padding-top: 1.35rem; } .filters .hint { margin: .15rem 0 0; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: var(--s3); align-items: start; }
.address-fields { grid-template-columns: 2fr 2fr 1fr 1fr 1.5fr; }
.fields fieldset { grid-column: 1 / -1; columns: 18rem; margin: 0; } tfoot td { font-weight: 600; }
.fields .beside { align-self: end; }
.line { display: grid; grid-template-columns: minmax(9rem, 4fr) minmax(4.5rem, 1fr) minmax(5rem, 1fr) minmax(6rem, 1.3fr) minmax(8rem, 2fr) minmax(5rem, 1fr) auto; gap: var(--s1) var(--s2); align-items: start; }
.line .moves { display: flex; gap: var(--s1); padding-top: 1.35rem; } .line .moves button { padding: .4rem .6rem; }
.line + .line { margin-top: var(--s2); } .line .hint, .line .mistake { font-size: var(--tiny); margin: .15rem 0 0; }
.line .income { grid-column: 1 / -1; }
.line label { white-space: nowrap; }
#totals { text-align: right; font-variant-numeric: tabular-nums; } #totals strong { font-size: 1.15rem; }
details .fields { margin-top: var(--s2); }
ol.timeline { margin: 0; padding: 0; list-style: none; }
.timeline li { border-left: 3px solid var(--line); padding: 0 0 .6rem .8rem; } .timeline li:last-child { border-color: var(--accent); padding-bottom: 0; }
.todo { margin: 0; padding: 0; list-style: none; }
.todo li { display: flex; flex-wrap: wrap; gap: .4rem var(--s4); justify-content: space-between; align-items: center; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.todo li:last-child { border: 0; padding-bottom: 0; }
.todo div { flex: 1 1 16rem; }
.pager { display: flex; gap: var(--s2); margin: var(--s3) var(--s2) var(--s2); }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8rem), 1fr)); gap: var(--s3); margin: 0; padding: 0; list-style: none; }
.counts a { display: block; border: 1px solid var(--line); border-radius: var(--round); padding: .6rem .8rem; text-decoration: none; color: var(--text); }
.counts a:hover { border-color: var(--accent); }
.counts strong { display: block; font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.chart { width: 100%; height: 9rem; display: block; }
.choices, .legend { display: flex; flex-wrap: wrap; gap: var(--s1) 1.25rem; margin: 0 0 var(--s3); padding: 0; list-style: none; }
.legend { font-size: var(--small); }
.legend svg { width: .8rem; height: .8rem; margin-right: .35rem; }
.series-0 { fill: var(--accent); } .series-1 { fill: var(--wait); } .series-2 { fill: var(--good); } .series-3 { fill: var(--test); } .series-4 { fill: var(--bad); } .series-5 { fill: var(--soft); }
.chart line { stroke: var(--line); }
.ends { display: flex; justify-content: space-between; color: var(--soft); font-size: var(--tiny); margin: .2rem 0 .6rem; }

@media screen and (min-width: 70rem) {
  .console { display: grid; grid-template: auto 1fr auto / 14rem minmax(0, 1fr); min-height: 100vh; }
  .console[class~="guest"] { grid-template-columns: minmax(0, 1fr); }
  .top { grid-column: 1 / -1; padding-inline: var(--s5); }
  .burger { display: none; }
  .menu { grid-row: 2 / span 2; border: 0; border-right: 1px solid var(--line); padding-top: var(--s4); }
  .menu > div { position: sticky; top: 4.5rem; }
  .console > button.plain { grid-column: -2; }
}
@media screen and (max-width: 69.99rem) {
  body:has(.burger:not([open])) .menu { display: none; }
}
@media (min-width: 60.01rem) {
  .line + .line label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .line + .line .moves { padding-top: 0; }
}
@media screen and (max-width: 60rem) {
  table, thead, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { border-bottom: 1px solid var(--line); padding: .6rem 0; } tbody tr:last-child { border: 0; }
  .listing tbody tr { padding-inline: var(--s2); }
  td, td.number, td.firm, td.long { width: auto; max-width: none; border: 0; padding: .1rem 0; text-align: left; white-space: normal; overflow-wrap: anywhere; display: grid; grid-template-columns: minmax(7rem, 30%) 1fr; gap: var(--s3); }
  td::before { content: attr(data-head); color: var(--soft); font-size: var(--tiny); line-height: 1.3; padding-top: .2rem; }
  td:empty { display: none; } td.long > div { white-space: normal; }
  .address-fields, .line { grid-template-columns: 1fr 1fr; }
  .line { border: 1px solid var(--line); border-radius: var(--round); padding: .6rem; }
  .line .description { grid-column: 1 / -1; }
  .line .moves { align-self: end; justify-content: end; }
  .console main { padding: var(--s4) var(--s4) 4rem; }
  section { padding: var(--s3); }
}
@media screen and (max-width: 30rem) {
  .plain-page form button { width: 100%; }
  .filters .wide, .filters .actions { grid-column: 1 / -1; padding: 0; }
}
@media print {
  :root { color-scheme: light; }
  body { background: none; font-size: 11pt; }
  .top { position: static; padding-inline: 0; } [data-mode="live"] .top { background: none; color: inherit; }
  nav, .tools, .burger, .announcement, .skip, form:not(.filters), button, .button, .plain-page header a { display: none; }
  section:has(> h2 + .actions:last-child) { display: none; }
  .console main { padding: var(--s3) 0; max-width: none; }
  section { border: 0; padding: 0; background: none; break-inside: avoid-page; }
  td, th { padding: .2rem .4rem; }
}
`;
