/** The form of one provider: where its credentials are found, a field for each, and the button. */
import type { LinkChoice } from "../../../src/connect-sessions/connect-link.ts";
import type { CredentialField } from "../../../src/domain/credentials-form.ts";
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import { type Language, say } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import { FIELD_WORDS, WAYS } from "./field-words.ts";
import { PROVIDER_NAMES, WORDS } from "./words.ts";

/** What was entered, by field, and what is wrong with it. */
export interface Entry {
  values: ReadonlyMap<string, string>;
  mistakes: ReadonlyMap<string, string>;
}

export interface FormPlace {
  provider: Provider;
  mode: Mode;
  language: Language;
}

export function providerName(provider: Provider, language: Language): string {
  const name = PROVIDER_NAMES[provider];
  return name === undefined ? provider : say(name, language);
}

/** Of an adapter from outside the label is its own, in English. */
export function labelOf(
  { provider, language }: FormPlace,
  field: Pick<CredentialField, "name" | "label">,
): string {
  const words = FIELD_WORDS[provider]?.[field.name];
  return words === undefined ? field.label : say(words.label, language);
}

/** Unique on the page, where several providers may ask for a field of one name. */
export function fieldId({ provider }: FormPlace, name: string): string {
  return `${provider}-${name}`;
}

function helpOf({ provider, language }: FormPlace, field: CredentialField): string | undefined {
  const words = FIELD_WORDS[provider]?.[field.name];
  return words === undefined ? field.help : say(words.help, language);
}

function fieldPart(place: FormPlace, field: CredentialField, entry: Entry): Markup {
  const id = fieldId(place, field.name);
  const help = helpOf(place, field);
  const mistake = entry.mistakes.get(field.name);
  const about = [mistake === undefined ? "" : `${id}-mistake`, help === undefined ? "" : `${id}-help`].filter(
    (part) => part !== "",
  );
  const type = field.secret ? "password" : field.format === "email" ? "email" : "text";
  // A secret is never written back into a page.
  const value = field.secret ? undefined : entry.values.get(field.name);
  return html`<div class="field">
<label for="${id}">${labelOf(place, field)}</label>
${help !== undefined && html`<p class="hint" id="${id}-help">${help}</p>`}
${mistake !== undefined && html`<p class="mistake" id="${id}-mistake">${mistake}</p>`}
<input id="${id}" name="${field.name}" type="${type}" autocomplete="off" autocapitalize="none" spellcheck="false"${about.length > 0 && html` aria-describedby="${about.join(" ")}"`}${mistake !== undefined && html` aria-invalid="true"`}${field.required && html` required`}${value !== undefined && html` value="${value}"`}>
</div>`;
}

function fieldsPart(place: FormPlace, { form }: LinkChoice, entry: Entry): Markup {
  const alternatives = form.exactlyOneOf ?? [];
  const part = (field: CredentialField) => fieldPart(place, field, entry);
  const common = form.fields.filter(({ name }) => !alternatives.includes(name));
  const either = form.fields.filter(({ name }) => alternatives.includes(name));
  return html`${common.map(part)}
${either.length > 0 && html`<fieldset><legend>${say(WORDS.exactlyOne, place.language)}</legend>${either.map(part)}</fieldset>`}`;
}

function wayPart({ provider, mode, language }: FormPlace): Markup | undefined {
  const way = WAYS[provider]?.[mode];
  if (way === undefined) return undefined;
  const { url } = way;
  return html`<h3>${say(WORDS.steps, language)}</h3>
<ol class="steps">${way.steps.map((step) => html`<li>${say(step, language)}</li>`)}</ol>
${url !== undefined && html`<p><a href="${url}" rel="noreferrer noopener" target="_blank">${new URL(url).host}</a></p>`}`;
}

/** What the browser would say of an empty field is in its own language, so that it is left to the server. */
export function formPart(place: FormPlace, choice: LinkChoice, entry: Entry): Markup {
  const { provider, language } = place;
  return html`<section aria-labelledby="${provider}-name">
<h2 id="${provider}-name">${providerName(provider, language)}</h2>
${wayPart(place)}
<form method="post" autocomplete="off" novalidate data-busy="${say(WORDS.busy, language)}" data-busy-button="${say(WORDS.busyButton, language)}">
<input type="hidden" name="provider" value="${provider}">
${fieldsPart(place, choice, entry)}
<p><button type="submit">${say(WORDS.submit, language)}</button></p>
<p class="soft busy" role="status">${say(WORDS.patience, language)}</p>
</form>
</section>`;
}
