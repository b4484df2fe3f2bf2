/** Sends a mail without a document, to see whether the mail server takes mails. */
import { randomUUID } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Language, Text } from "../foundation/text.ts";
import { explainMailFailure } from "./mail-failure.ts";
import { REASON_TEXTS } from "./mail-object.ts";

const SUBJECT: Text = { en: "fiscal: test mail", el: "fiscal: δοκιμαστικό email" };
const BODY: Text = {
  en: "The mail server in your settings works: documents can be sent.",
  el: "Ο διακομιστής αλληλογραφίας που έχετε ορίσει λειτουργεί: τα παραστατικά μπορούν να σταλούν.",
};

/** Why it was not sent; undefined once the server has accepted it. */
export async function sendTestMail(
  config: Pick<Config, "mail">,
  { to, language }: { to: string; language: Language },
): Promise<Text | undefined> {
  const { postMail } = await import("./post.ts");
  const text = BODY[language];
  const html = `<!doctype html><html lang="${language}"><body><p>${text}</p></body></html>`;
  try {
    const id = `test.${randomUUID()}`;
    await postMail(config, { id, to, subject: SUBJECT[language], text: `${text}\n`, html });
    return undefined;
  } catch (error) {
    return REASON_TEXTS[explainMailFailure(error).reason];
  }
}
