/**
 * Decides about the MARKs that an authority has for one document (docs/contract.md#highest-mark-wins). The authority treats the
 * last registration as valid, so a MARK is cancelled only if a higher one of the same document remains.
 */
import type { SurplusState } from "../../storage/stored-values.ts";
import type { Text } from "../foundation/text.ts";

/** MARKs are numbers of up to 19 digits. */
export function isLaterMark(mark: string, than: string): boolean {
  return BigInt(mark) > BigInt(than);
}

/** The document that the MARKs were found for. */
export interface MarkOwner {
  /** Null if it is not issued: then nothing registered for it may remain. */
  mark: string | null;
  isCancelled: boolean;
}

/**
 * What happens to another MARK of the document, found under the same uid: a lower one is cancelled. A higher one may be the
 * valid one, so a person must decide, unless the document is cancelled or not issued at all.
 */
export function judgeSurplusMark(mark: string, owner: MarkOwner): "cancelling" | "later" {
  if (owner.mark === null || owner.isCancelled) return "cancelling";
  return isLaterMark(mark, owner.mark) ? "later" : "cancelling";
}

/** The states of a MARK that a person must see to. */
export type StateForPerson = Extract<SurplusState, "stuck" | "later" | "taken">;

/** What is wrong, as a heading for the documents it concerns. */
export const MARK_PROBLEMS: Readonly<Record<StateForPerson, Text>> = {
  stuck: {
    en: "Registered twice, and could not be cancelled",
    el: "Καταχωρίστηκαν δύο φορές και δεν ακυρώθηκαν",
  },
  later: {
    en: "Registered again at the authority after their MARK was reported",
    el: "Καταχωρίστηκαν ξανά στην ΑΑΔΕ αφού είχε δοθεί το ΜΑΡΚ τους",
  },
  taken: {
    en: "Reported with a MARK that another document has",
    el: "Δόθηκε ΜΑΡΚ που έχει άλλο παραστατικό",
  },
};

/** What the person has to do about the MARK. */
export function describeRemedy(state: StateForPerson, mark: string, ownMark: string | null): Text {
  switch (state) {
    case "stuck":
      return {
        en: `cancel the MARK ${mark} at the authority, unless it is the only one of the document that is not cancelled`,
        el: `ακυρώστε στην ΑΑΔΕ το ΜΑΡΚ ${mark}, εκτός αν είναι το μόνο του παραστατικού που δεν έχει ακυρωθεί`,
      };
    case "later":
      return {
        en: `the authority may treat the later MARK ${mark} as the valid one and not ${ownMark ?? ""}; compare both, and cancel the lower one there`,
        el: `η ΑΑΔΕ μπορεί να θεωρεί έγκυρο το νεότερο ΜΑΡΚ ${mark} και όχι το ${ownMark ?? ""}· συγκρίνετε τα δύο και ακυρώστε εκεί το μικρότερο`,
        next: { operation: "cancelSurplusMarks" },
      };
    case "taken":
      return {
        en: `find both documents with the MARK ${mark} at the provider, and ask it which one is right`,
        el: `βρείτε στον πάροχο τα δύο παραστατικά με το ΜΑΡΚ ${mark} και ρωτήστε ποιο είναι το σωστό`,
      };
  }
}
