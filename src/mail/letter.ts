/** Writes the mail that carries a document's PDF, in the languages of the PDF (docs/contract.md#mail). */
import { printedTitle } from "../domain/document-types.ts";
import { euroText } from "../foundation/money.ts";
import type { Language, Text } from "../foundation/text.ts";
import { formatGreekDay } from "../paper/labels.ts";
import type { Paper } from "../paper/paper.ts";

export interface Letter {
  /** The name that mail programs show beside `mail.from`. */
  senderName?: string;
  /** Where replies go; without it to `mail.from`. */
  replyTo?: string | undefined;
  subject: string;
  text: string;
  html: string;
}

const TEST: Text = { en: "TEST, not valid", el: "ΔΟΚΙΜΗ, χωρίς νομική ισχύ" };

export function writeLetter(paper: Paper): Letter {
  const languages = languagesOf(paper);
  const name = languages.map((language) => nameOf(paper)[language]).join(" / ");
  const test = paper.isTest ? `[${languages.map((language) => TEST[language]).join(" / ")}] ` : "";
  const parts = languages.map((language) => bodyOf(paper, language));
  return {
    senderName: paper.supplier.name,
    replyTo: paper.stationery.email,
    subject: `${test}${name} – ${paper.supplier.name}`,
    text: `${parts.map((lines) => lines.join("\n")).join("\n\n--\n\n")}\n`,
    html: `<!doctype html><html lang="${languages[0]}"><body>${languages
      .map((language, index) => htmlOf(parts[index]!, language))
      .join("<hr>")}</body></html>`,
  };
}

/** Greek first where the PDF has both, as in the PDF. */
function languagesOf({ stationery: { language } }: Paper): readonly [Language, ...Language[]] {
  return language === undefined ? ["el", "en"] : [language];
}

function nameOf({ sentType, series, number }: Paper): Text {
  const { en, el } = printedTitle(sentType);
  return { en: `${en} ${series} ${number}`, el: `${el} ${series} ${number}` };
}

/** The lines of the mail; an empty one ends a paragraph. */
function bodyOf(paper: Paper, language: Language): string[] {
  const { supplier, issueDate, totals, mark, cancellation, isTest } = paper;
  const name = nameOf(paper)[language];
  const day = formatGreekDay(issueDate);
  const gross = euroText(totals.gross)[language];
  const isEnglish = language === "en";
  return [
    ...(isTest ? [TEST[language], ""] : []),
    isEnglish ? "Dear Sir or Madam," : "Αγαπητέ πελάτη,",
    "",
    isEnglish
      ? `please find attached the document ${name} of ${day}.`
      : `σας στέλνουμε συνημμένο το παραστατικό ${name} της ${day}.`,
    "",
    isEnglish ? `Total: ${gross} €` : `Σύνολο: ${gross} €`,
    isEnglish ? `MARK: ${mark}` : `ΜΑΡΚ: ${mark}`,
    ...(paper.qrUrl === null ? [] : [`${isEnglish ? "Verify" : "Έλεγχος στην ΑΑΔΕ"}: ${paper.qrUrl}`]),
    ...(cancellation === undefined
      ? []
      : [
          isEnglish
            ? `This document was cancelled on ${formatGreekDay(cancellation.day)}.`
            : `Το παραστατικό αυτό ακυρώθηκε στις ${formatGreekDay(cancellation.day)}.`,
        ]),
    "",
    isEnglish ? "Kind regards" : "Με εκτίμηση",
    supplier.name,
  ];
}

/** Paragraphs of lines; an empty line ends a paragraph. */
export function htmlOf(lines: readonly string[], language: Language): string {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === "") paragraphs.push([]);
    else paragraphs.at(-1)!.push(escape(line));
  }
  return `<div lang="${language}">${paragraphs.map((part) => `<p>${part.join("<br>")}</p>`).join("")}</div>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
}
