/**
 * The page of an open link: which business is connected to what, and for each provider that can be chosen where to find its credentials,
 * and a field for each. A form that did not connect the merchant says why, at the top of the page and next to the fields concerned.
 */
import * as messages from "./messages.ts";
import type {
  ClosedLink,
  LinkChoice,
  OpenLink,
  Submission,
} from "../../../src/connect-sessions/connect-link.ts";
import type {
  CredentialField,
  CredentialsForm,
  CredentialsGuide,
} from "../../../src/domain/credentials-form.ts";
import { joinTexts, type Text, toText } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { Language } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import type { Problem } from "../../../src/foundation/errors.ts";
import { ASSETS } from "../assets.ts";
import { htmlPage, type Page } from "../page.ts";

/** The values entered by field name, and what is wrong with them. */
interface Entry {
  values: ReadonlyMap<string, string>;
  mistakes: ReadonlyMap<string, string>;
}

/** One provider's form on the page. */
interface FormPlace {
  choice: LinkChoice;
  mode: Mode;
  language: Language;
}

function labelOf({ language }: FormPlace, { label }: CredentialField): string {
  return toText(label)[language];
}

/** Unique on the page, where several providers may ask for a field of the same name. */
function fieldId({ choice }: FormPlace, name: string): string {
  return `${choice.provider}-${name}`;
}

function fieldPart(place: FormPlace, field: CredentialField, entry: Entry): Markup {
  const id = fieldId(place, field.name);
  const help = field.help === undefined ? undefined : toText(field.help)[place.language];
  const mistake = entry.mistakes.get(field.name);
  const descriptions = [
    ...(mistake === undefined ? [] : [`${id}-mistake`]),
    ...(help === undefined ? [] : [`${id}-help`]),
  ];
  const type = field.secret ? "password" : field.format === "email" ? "email" : "text";
  // A secret is never written back into a page.
  const value = field.secret ? undefined : entry.values.get(field.name);
  return html`<div class="field">
<label for="${id}">${labelOf(place, field)}</label>
${help !== undefined && html`<p class="hint" id="${id}-help">${help}</p>`}
${mistake !== undefined && html`<p class="mistake" id="${id}-mistake">${capitalise(mistake)}</p>`}
<input id="${id}" name="${field.name}" type="${type}" autocomplete="off" autocapitalize="none" spellcheck="false"${descriptions.length > 0 && html` aria-describedby="${descriptions.join(" ")}"`}${mistake !== undefined && html` aria-invalid="true"`}${field.required && html` required`}${value !== undefined && html` value="${value}"`}>
</div>`;
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function fieldsPart(place: FormPlace, entry: Entry): Markup {
  const { fields, exactlyOneOf: alternatives = [] } = place.choice.form;
  const part = (field: CredentialField) => fieldPart(place, field, entry);
  const common = fields.filter(({ name }) => !alternatives.includes(name));
  const either = fields.filter(({ name }) => alternatives.includes(name));
  return html`${common.map(part)}
${either.length > 0 && html`<fieldset><legend>${messages.EXACTLY_ONE[place.language]}</legend>${either.map(part)}</fieldset>`}`;
}

function guidePart({ choice, mode, language }: FormPlace): Markup | undefined {
  const guide = choice.form.guides?.[mode];
  return guide && html`<h3>${messages.WHERE_TO_FIND[language]}</h3>${guideSteps(guide, language)}`;
}

/** How a merchant obtains its credentials. */
export function guideSteps({ steps, url }: CredentialsGuide, language: Language): Markup {
  return html`<ol class="steps">${steps.map((step) => html`<li>${toText(step)[language]}</li>`)}</ol>
${url !== undefined && html`<p><a href="${url}" rel="noreferrer noopener" target="_blank">${new URL(url).host}</a></p>`}`;
}

/** The form has `novalidate` because browsers report empty fields in their own language; the server does it in the page's. */
function formPart(place: FormPlace, entry: Entry): Markup {
  const { choice, language } = place;
  const { provider, name } = choice;
  return html`<section aria-labelledby="${provider}-name">
<h2 id="${provider}-name">${name[language]}</h2>
${guidePart(place)}
<form method="post" autocomplete="off" novalidate data-busy="${messages.BUSY[language]}" data-busy-button="${messages.BUSY_BUTTON[language]}">
<input type="hidden" name="provider" value="${provider}">
${fieldsPart(place, entry)}
<p><button class="primary">${messages.SUBMIT[language]}</button></p>
<p class="soft busy" role="status">${messages.PATIENCE[language]}</p>
</form>
</section>`;
}

interface Trouble {
  status: number;
  heading: string;
  /** Paragraphs. */
  sentences: readonly string[];
  /** What is wrong with each field, by its name. */
  mistakes: ReadonlyMap<string, string>;
}

type FailedSubmission = Exclude<Submission, ClosedLink | { kind: "connected" }>;

/** `form` is that of the chosen provider; undefined if the provider cannot be chosen. */
export function describeTrouble(
  submission: FailedSubmission,
  form: CredentialsForm | undefined,
  language: Language,
): Trouble {
  const trouble = (
    status: number,
    heading: Text,
    sentences: readonly Text[],
    mistakes: ReadonlyMap<string, Text> = new Map(),
  ): Trouble => ({
    status,
    heading: heading[language],
    sentences: sentences.map((sentence) => sentence[language]),
    mistakes: new Map([...mistakes].map(([name, text]) => [name, text[language]])),
  });
  switch (submission.kind) {
    case "invalid":
      return trouble(400, messages.INVALID, [], mistakesOf(submission.problems, form));
    case "refused": {
      const { provider_message: words, provider_code: code } = submission.error;
      const said = words === null || code === null ? (words ?? code) : `${code}: ${words}`;
      const sentences = [
        ...(said === null ? [] : [messages.providerSaid(said)]),
        messages.REFUSED_ADVICE,
        messages.triesLeft(submission.triesLeft),
      ];
      return trouble(422, messages.REFUSED, sentences, refusedFields(form));
    }
    case "unavailable":
      return trouble(503, messages.UNAVAILABLE, [messages.UNAVAILABLE_ADVICE]);
    case "taken":
      return trouble(409, messages.TAKEN, [messages.TAKEN_ADVICE]);
  }
}

/** The first problem of each field. A problem of the credentials as a whole concerns the fields of which one must be given. */
function mistakesOf(problems: readonly Problem[], form: CredentialsForm | undefined): Map<string, Text> {
  const mistakes = new Map<string, Text>();
  for (const { path, message } of problems) {
    const field = path.replace(/^credentials\.?/, "");
    const found: [string, Text][] =
      field === ""
        ? (form?.exactlyOneOf ?? []).map((name) => [name, messages.EXACTLY_ONE])
        : [[field, message]];
    for (const [name, text] of found) if (!mistakes.has(name)) mistakes.set(name, text);
  }
  return mistakes;
}

/** A provider refuses credentials as a whole, so each required one may be the wrong one. */
function refusedFields(form: CredentialsForm | undefined): Map<string, Text> {
  const required = (form?.fields ?? []).filter((field) => field.required);
  return new Map(required.map(({ name }) => [name, messages.REFUSED_FIELD]));
}

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
