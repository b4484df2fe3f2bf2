/** `fiscal documents repeat`: issues the contents of an issued document again. See docs/contract.md#credit-and-repeat. */
import type { Command } from "commander";
import { acceptDocument } from "../../src/documents/accept.ts";
import { examineBody } from "../../src/documents/examine-request.ts";
import { readRepetition } from "../../src/documents/repeat.ts";
import { type CommandContext, causeOf } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { addYesOption } from "../confirmation.ts";
import { addIdempotencyKeyOption, useOfKey } from "../idempotency-key.ts";
import { listenForInterrupt } from "../io.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples, day } from "../options.ts";
import { formatNumber } from "../../src/operations/document-view.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";
import { issueOne, type IssueOneOptions } from "./issue-one.ts";
import { addWaitOptions } from "./waiting.ts";

interface RepeatOptions extends IssueOneOptions, MerchantOption {
  date?: string;
  reference?: string;
  idempotencyKey?: string;
}

export function defineRepeat(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addReferenceOwnerOption(command, context)
    .option(
      "--date <day>",
      inLanguage({ en: "issue date (default: today)", el: "ημερομηνία έκδοσης (αν λείπει: σήμερα)" }),
      day("--date"),
    )
    .option(
      "--reference <reference>",
      inLanguage({
        en: "external reference of the new document",
        el: "εξωτερική αναφορά του νέου παραστατικού",
      }),
    )
    .option(
      "--preview",
      inLanguage({
        en: "only show the new document, issue nothing",
        el: "μόνο δείχνει το νέο παραστατικό, χωρίς έκδοση",
      }),
    );
  addYesOption(addIdempotencyKeyOption(command, context), context);
  addWaitOptions(command, context, {
    en: "end once it is accepted; a server or the next run issues it",
    el: "τελειώνει μόλις γίνει δεκτό· το εκδίδει ένας διακομιστής ή η επόμενη εκτέλεση",
  }).action((name: string, options: RepeatOptions) => context.end(repeat(context, name, options)));
  addExamples(
    command,
    context,
    "fiscal documents repeat 2026-001 --preview",
    "fiscal documents repeat 2026-001 --reference 2026-001-again",
  );
}

async function repeat(context: CommandContext, name: string, options: RepeatOptions): Promise<ExitCode> {
  const interrupt = listenForInterrupt(context.io);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const original = await findDocument(appliance, mode, name, options);
      const body = await readRepetition(appliance, mode, original.id, options);
      const { date, reference, idempotencyKey } = options;
      const use = useOfKey("repeatDocument", idempotencyKey, { id: original.id }, { date, reference });
      const number = formatNumber(original);
      const order = {
        appliance,
        mode,
        place: { en: `repetition of ${number}`, el: `επανάληψη του ${number}` },
        reference: reference ?? null,
        question: {
          en: "Issue this document? It cannot be undone.",
          el: "Να εκδοθεί αυτό το παραστατικό; Δεν αναιρείται.",
        },
        alwaysAsks: false,
        examine: () => examineBody(appliance, body, mode),
        accept: () => acceptDocument(appliance, body, causeOf(mode), use),
      };
      return issueOne(context, order, options, interrupt);
    });
  } finally {
    interrupt.dispose();
  }
}
