/** The page of an open link: which business is connected to what, and a form for each provider that can be chosen. */
import type { OpenLink } from "../../../src/connect-sessions/connect-link.ts";
import { joinTexts } from "../../../src/foundation/text.ts";
import { ASSETS } from "../assets.ts";
import type { Language } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import { htmlPage, type Page } from "../page.ts";
import { type Entry, fieldId, formPart, type FormPlace, labelOf } from "./form.ts";
import * as messages from "./messages.ts";
import type { Trouble } from "./problem.ts";

/** The root of the site, relative to `/connect/{token}`. */
export const ROOT = "../";

/** A submitted form that did not connect the merchant. */
export interface Sent {
  provider: string;
  values: ReadonlyMap<string, string>;
  trouble: Trouble;
}

const NOTHING_ENTERED: Entry = { values: new Map(), mistakes: new Map() };

function introduction(link: OpenLink, language: Language): Markup {
  const { merchantName, merchantTaxId, mode, returnUrl, choices } = link;
  const providers = joinTexts(
    choices.map(({ name }) => name),
    ", ",
  );
  return html`<h1>${messages.heading(merchantName)[language]}</h1>
${merchantTaxId !== null && html`<p class="soft">${messages.taxId(merchantTaxId)[language]}</p>`}
<p><strong class="mode mode-${mode}">${messages.MODE_NAMES[mode][language]}</strong></p>
<p>${messages.MODE_NOTES[mode][language]}</p>
${choices.length > 0 && html`<p>${messages.purpose(providers)[language]} ${messages.SAFETY[language]}</p>`}
${returnUrl !== null && html`<p>${messages.returnsTo(new URL(returnUrl).host)[language]}</p>`}`;
}

/** Focused first: by `autofocus` without a script, and by the script in browsers that ignore it here. */
function troublePart(link: OpenLink, { provider, trouble }: Sent, language: Language): Markup {
  const choice = link.choices.find((candidate) => candidate.provider === provider);
  const place: FormPlace | undefined = choice && { choice, mode: link.mode, language };
  const items = [...trouble.mistakes].map(([name, text]) => {
    const field = choice?.form.fields.find((candidate) => candidate.name === name);
    if (place === undefined || field === undefined) return html`<li>${text}</li>`;
    return html`<li><a href="#${fieldId(place, name)}">${labelOf(place, field)}</a>: ${text}</li>`;
  });
  return html`<div class="problem" id="problem" role="alert" tabindex="-1" autofocus>
<h2>${trouble.heading}</h2>
${items.length > 0 && html`<ul>${items}</ul>`}
${trouble.sentences.map((sentence) => html`<p>${sentence}</p>`)}
</div>`;
}

export function openPage(link: OpenLink, language: Language, sent?: Sent): Page {
  const { mode, choices, merchantName } = link;
  const forms = choices.map((choice) => {
    const entry =
      sent?.provider === choice.provider ? { ...sent, mistakes: sent.trouble.mistakes } : NOTHING_ENTERED;
    return formPart({ choice, mode, language }, entry);
  });
  const content = html`${sent !== undefined && troublePart(link, sent, language)}
${introduction(link, language)}
${forms.length > 0 ? forms : html`<p class="problem">${messages.NO_PROVIDER[language]}</p>`}`;
  const title = messages.title(merchantName);
  const shownTitle = sent === undefined ? title : messages.problemTitle(title);
  const scripts = [ASSETS.formScript];
  return {
    status: sent?.trouble.status ?? 200,
    html: htmlPage({ title: shownTitle[language], language, root: ROOT, content, scripts }),
  };
}
