/** The console's messages in both languages, and how a page picks its own. */
import type { Text } from "../../../src/foundation/text.ts";
import type { Language } from "../language.ts";
import { DOCUMENT_MESSAGES, MAIL_MESSAGES, REPORT_MESSAGES } from "./messages/document-messages.ts";
import { CREDIT_MESSAGES, NEW_MESSAGES, UPLOAD_MESSAGES } from "./messages/form-messages.ts";
import { FRAME_MESSAGES } from "./messages/frame-messages.ts";
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
