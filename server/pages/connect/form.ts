/** The form of one provider: where to find its credentials, a field for each, and the button. */
import type { LinkChoice } from "../../../src/connect-sessions/connect-link.ts";
import type { CredentialField } from "../../../src/domain/credentials-form.ts";
import { toText } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { Language } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import * as messages from "./messages.ts";

/** The values entered by field name, and what is wrong with them. */
export interface Entry {
  values: ReadonlyMap<string, string>;
  mistakes: ReadonlyMap<string, string>;
}

/** One provider's form on the page. */
export interface FormPlace {
  choice: LinkChoice;
  mode: Mode;
  language: Language;
}

export function labelOf({ language }: FormPlace, { label }: CredentialField): string {
  return toText(label)[language];
}

/** Unique on the page, where several providers may ask for a field of the same name. */
export function fieldId({ choice }: FormPlace, name: string): string {
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
  if (guide === undefined) return undefined;
  const { steps, url } = guide;
  return html`<h3>${messages.WHERE_TO_FIND[language]}</h3>
<ol class="steps">${steps.map((step) => html`<li>${toText(step)[language]}</li>`)}</ol>
${url !== undefined && html`<p><a href="${url}" rel="noreferrer noopener" target="_blank">${new URL(url).host}</a></p>`}`;
}

/** The form has `novalidate` because browsers report empty fields in their own language; the server does it in the page's. */
export function formPart(place: FormPlace, entry: Entry): Markup {
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
