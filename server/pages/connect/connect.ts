/** The page behind a connect link: a form for each provider that can be chosen, and its result. Works without scripts. */
import { openLink, submitLink } from "../../../src/connect-sessions/connect-link.ts";
import type { Context } from "../../../src/journal/context.ts";
import type { Language } from "../language.ts";
import type { Page } from "../page.ts";
import { closedPage, connectedPage } from "./ends.ts";
import { openPage } from "./open.ts";
import { describeTrouble } from "./problem.ts";

/** Opening a link does not use it up. */
export async function connectPage(context: Context, token: string, language: Language): Promise<Page> {
  const link = await openLink(context, token);
  return link.kind === "open" ? openPage(link, language) : closedPage(link, language);
}

/** Submits the form; `entered` are its fields as a browser posts them. */
export async function submitConnectPage(
  context: Context,
  token: string,
  entered: ReadonlyMap<string, string>,
  language: Language,
): Promise<Page> {
  const { provider = "", ...fields } = Object.fromEntries(entered);
  // Browsers post empty fields too.
  const credentials = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const submission = await submitLink(context, token, { provider, credentials });
  if (submission.kind === "unknown" || submission.kind === "gone") return closedPage(submission, language);
  if (submission.kind === "connected") return connectedPage(submission, language);
  const link = await openLink(context, token);
  if (link.kind !== "open") return closedPage(link, language);
  const form = link.choices.find((choice) => choice.provider === provider)?.form;
  const trouble = describeTrouble(submission, form, language);
  return openPage(link, language, { provider, values: entered, trouble });
}
