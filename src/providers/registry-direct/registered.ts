/** Finds our document among the listed ones (docs/authority.md#several-marks). Pure. */
import { unknown } from "../exchange.ts";
import type { IssuedOutcome, OutgoingDocument, UnknownOutcome } from "../../domain/provider-adapter.ts";
import type { TransmittedInvoice } from "./answers.ts";
import type { Listed } from "./transmitted.ts";

export type Found =
  | (IssuedOutcome & {
      surplusMarks: readonly string[];
      cancelledMarks: readonly string[];
      cancellationMark?: string;
    })
  | { kind: "absent" }
  | UnknownOutcome;

type Registered = TransmittedInvoice & { mark: string };

/**
 * Finds `document` in the listing. Of several MARKs the highest that is not cancelled is kept, because the
 * authority replaces the earlier ones, and the others that are not cancelled are surplus. If all are cancelled, someone
 * cancelled the document: it gets the highest MARK and counts as cancelled, since sending it again would undo a person's
 * decision. A document with the same identity but other totals is someone
 * else's: it is never adopted or cancelled, and ours is not sent, because the authority might let it replace the
 * other.
 */
export function findRegistered(listed: Listed, document: OutgoingDocument): Found {
  const named = listed.invoices.filter((invoice) => isNamedAs(invoice, document));
  const registered = named.filter((invoice): invoice is Registered => invoice.mark !== null);
  if (registered.length < named.length) {
    return unknown({
      en: "The tax authority lists the document without its MARK",
      el: "Η ΑΑΔΕ δείχνει το παραστατικό χωρίς το ΜΑΡΚ του",
    });
  }
  if (registered.some(({ totals }) => Object.values(totals).includes(null))) {
    return unknown({
      en: "The tax authority lists the document without its totals",
      el: "Η ΑΑΔΕ δείχνει το παραστατικό χωρίς τα σύνολά του",
    });
  }
  const ours = registered.filter((invoice) => hasTotalsOf(invoice, document)).sort(highestFirst);
  const cancellationOf = ({ mark, cancelledByMark }: Registered) =>
    cancelledByMark ?? listed.cancellations.get(mark);
  const isValid = (invoice: Registered) => cancellationOf(invoice) === undefined;
  const valid = ours.filter(isValid);
  const [kept, ...surplus] = valid.length > 0 ? valid : ours.slice(0, 1);
  if (kept !== undefined) {
    const cancellationMark = cancellationOf(kept);
    return {
      kind: "issued",
      mark: kept.mark,
      uid: kept.uid ?? document.uid,
      qrUrl: kept.qrUrl,
      surplusMarks: surplus.map(({ mark }) => mark),
      cancelledMarks: ours.filter((one) => one !== kept && !isValid(one)).map(({ mark }) => mark),
      ...(cancellationMark === undefined ? {} : { cancellationMark }),
    };
  }
  const another = registered.filter(isValid).sort(highestFirst)[0];
  if (another !== undefined) {
    const { mark } = another;
    const message = {
      en: `Another document at the tax authority has this series and number, with other totals and the MARK ${mark}; find out which program uses the same series`,
      el: `Άλλο παραστατικό στην ΑΑΔΕ έχει αυτή τη σειρά και τον αριθμό, με άλλα σύνολα και ΜΑΡΚ ${mark}· βρείτε ποιο πρόγραμμα χρησιμοποιεί την ίδια σειρά`,
    };
    return { ...unknown(message), numberOfAnother: true, markOfAnother: mark };
  }
  return { kind: "absent" };
}

/**
 * Compares the uid, or everything that the uid is computed from: if the authority ever computes it differently, the
 * document must not look absent and be sent again.
 */
function isNamedAs(invoice: TransmittedInvoice, document: OutgoingDocument): boolean {
  if (invoice.uid !== null && invoice.uid === document.uid) return true;
  const { supplier, issue_date: issueDate } = document.input;
  return (
    invoice.supplier === supplier.tax_id.code &&
    invoice.branch === String(supplier.branch) &&
    invoice.series === document.series &&
    invoice.number === String(document.number) &&
    invoice.issueDate === issueDate &&
    invoice.type === document.sentType
  );
}

function hasTotalsOf({ totals }: TransmittedInvoice, { input }: OutgoingDocument): boolean {
  return (["net", "vat", "gross"] as const).every((name) => totals[name] === BigInt(input.totals[name]));
}

function highestFirst(left: Registered, right: Registered): number {
  return Number(BigInt(right.mark) - BigInt(left.mark));
}
