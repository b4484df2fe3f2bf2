/** The console's messages in both languages, and how a page picks its own. */
import type { Text } from "../../../src/foundation/text.ts";
import type { Language } from "../language.ts";
import { CREDIT_MESSAGES } from "./messages/credit-messages.ts";
import { DOCUMENT_MESSAGES } from "./messages/document-messages.ts";
import { MAIL_MESSAGES } from "./messages/mail-messages.ts";
import { NEW_MESSAGES } from "./messages/new-messages.ts";
import { FRAME_MESSAGES } from "./messages/frame-messages.ts";
import { REPORT_MESSAGES } from "./messages/report-messages.ts";
import { UPLOAD_MESSAGES } from "./messages/upload-messages.ts";
import { RESOURCE_MESSAGES } from "./messages/resource-messages.ts";

export const TEXTS = {
  ...FRAME_MESSAGES,
  ...DOCUMENT_MESSAGES,
  ...CREDIT_MESSAGES,
  ...MAIL_MESSAGES,
  ...REPORT_MESSAGES,
  ...NEW_MESSAGES,
  ...RESOURCE_MESSAGES,
  ...UPLOAD_MESSAGES,
} as const;

/** `text` in the visitor's language. */
export type Translate = (text: Text) => string;

export function translateTo(language: Language): Translate {
  return (text) => text[language];
}
