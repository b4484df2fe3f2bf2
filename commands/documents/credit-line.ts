/** The flag `--line N[:quantity]`. */
import { QUANTITY_FORM } from "../../src/domain/document-codes.ts";
import { UsageError } from "../exit.ts";

/** A line of the body of `creditDocument`. */
export interface CreditLine {
  line: number;
  quantity?: string;
}

/** A parser for the repeatable flag. The quantity may have a decimal comma. */
export function creditLine(flag: string): (value: string, previous?: CreditLine[]) => CreditLine[] {
  return (value, previous = []) => {
    const [, line = "", written] = /^([1-9][0-9]{0,3})(?::(.+))?$/.exec(value) ?? [];
    const quantity = written?.replace(",", ".");
    if (line === "" || (quantity !== undefined && !QUANTITY_FORM.test(quantity)))
      throw new UsageError({
        en: `${flag} takes the number of a line, and a quantity after a colon: 2 or 2:1.5`,
        el: `η ${flag} δέχεται τον αριθμό μιας γραμμής, και μετά από άνω-κάτω τελεία μια ποσότητα: 2 ή 2:1,5`,
      });
    return [...previous, { line: Number(line), ...(quantity === undefined ? {} : { quantity }) }];
  };
}
