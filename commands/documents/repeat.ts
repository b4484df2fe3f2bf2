/** `fiscal documents repeat`: issues the contents of an issued document again. See docs/contract.md#credit-and-repeat. */
import { readRepetition } from "../../src/documents/repeat.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { formatNumber } from "../../src/operations/document-view.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { issueOne, type IssueOneOptions, orderOf } from "./issue-one.ts";
import { verb } from "../define.ts";
import { ONCE_ACCEPTED, waitFlags } from "./waiting.ts";
import { YES } from "../confirmation.ts";
import { IDEMPOTENCY_KEY, ISSUE_DATE, useOfKey } from "../common-flags.ts";

interface RepeatOptions extends IssueOneOptions, MerchantOption {
  date?: string;
  reference?: string;
  idempotencyKey?: string;
}

export const defineRepeat = verb({
  flags: {
    ...REFERENCE_OWNER,
    ...ISSUE_DATE,
    "--reference <reference>": {
      en: "external reference of the new document",
      el: "εξωτερική αναφορά του νέου παραστατικού",
    },
    "--preview": {
      en: "only show the new document, issue nothing",
      el: "μόνο δείχνει το νέο παραστατικό, χωρίς έκδοση",
    },
    ...IDEMPOTENCY_KEY,
    ...YES,
    ...waitFlags(ONCE_ACCEPTED),
  },
  examples: [
    "fiscal documents repeat 2026-001 --preview",
    "fiscal documents repeat 2026-001 --reference 2026-001-again",
  ],
  run: repeat,
});

async function repeat(context: CommandContext, name: string, options: RepeatOptions): Promise<ExitCode> {
  return context.interruptible(async (appliance, mode, signal) => {
    const original = await findDocument(appliance, mode, name, options);
    const body = await readRepetition(appliance, mode, original.id, options);
    const { date, reference, idempotencyKey } = options;
    const use = useOfKey("repeatDocument", idempotencyKey, { id: original.id }, { date, reference });
    const number = formatNumber(original);
    const place = { en: `repetition of ${number}`, el: `επανάληψη του ${number}` };
    const order = orderOf(appliance, mode, body, { place, reference, alwaysAsks: false, use });
    return issueOne(context, order, options, signal);
  });
}
