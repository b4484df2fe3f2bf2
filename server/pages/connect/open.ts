/** The page of a link that can be used: whose business is connected to what, and the form of each provider that can be chosen. */
import type { OpenLink } from "../../../src/connect-sessions/connect-link.ts";
import { ASSETS } from "../assets.ts";
import { type Language, say } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import { htmlPage, type Page } from "../page.ts";
import { type Entry, fieldId, formPart, type FormPlace, labelOf, providerName } from "./form.ts";
import type { Trouble } from "./problem.ts";
import { PROBLEM_WORDS, WORDS } from "./words.ts";

/** From `/connect/{token}`. */
export const ROOT = "../";

/** What was sent, where something was. */
export interface Sent {
  provider: string;
  values: ReadonlyMap<string, string>;
  trouble: Trouble;
}

const NOTHING_ENTERED: Entry = { values: new Map(), mistakes: new Map() };

function modeNote({ mode }: OpenLink, language: Language): Markup {
  const note = say(mode === "test" ? WORDS.testNote : WORDS.liveNote, language);
  return html`<p><strong class="mode mode-${mode}">${say(WORDS[mode], language)}</strong></p>
<p>${note}</p>`;
}

function introduction(link: OpenLink, language: Language): Markup {
  const { merchantName, merchantTaxId, returnUrl, choices } = link;
  const providers = choices.map(({ provider }) => providerName(provider, language)).join(", ");
  return html`<h1>${say(WORDS.heading, language, { merchant: merchantName })}</h1>
${merchantTaxId !== null && html`<p class="soft">${say(WORDS.taxId, language, { code: merchantTaxId })}</p>`}
${modeNote(link, language)}
${choices.length > 0 && html`<p>${say(WORDS.purpose, language, { providers })} ${say(WORDS.safety, language)}</p>`}
${returnUrl !== null && html`<p>${say(WORDS.returns, language, { host: new URL(returnUrl).host })}</p>`}`;
}

/** Where the reader is led to first: by `autofocus` without a script, and by the script where a browser does not heed that. */
function troublePart(link: OpenLink, { provider, trouble }: Sent, language: Language): Markup {
  const choice = link.choices.find((candidate) => candidate.provider === provider);
  const place: FormPlace | undefined = choice && { provider: choice.provider, mode: link.mode, language };
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
    const { provider } = choice;
    const entry =
      sent?.provider === provider ? { ...sent, mistakes: sent.trouble.mistakes } : NOTHING_ENTERED;
    return formPart({ provider, mode, language }, choice, entry);
  });
  const content = html`${sent !== undefined && troublePart(link, sent, language)}
${introduction(link, language)}
${forms.length > 0 ? forms : html`<p class="problem">${say(WORDS.noProvider, language)}</p>`}`;
  const prefix = sent === undefined ? "" : say(PROBLEM_WORDS.titlePrefix, language);
  const title = prefix + say(WORDS.title, language, { merchant: merchantName });
  const scripts = [ASSETS.formScript];
  return {
    status: sent?.trouble.status ?? 200,
    html: htmlPage({ title, language, root: ROOT, content, scripts }),
  };
}
