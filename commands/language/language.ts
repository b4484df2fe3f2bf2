/** The two languages that fiscal speaks. */
import type { Text } from "../../src/foundation/text.ts";

export type Language = keyof Text;

/** Texts that are not yet written in both languages: their Greek is looked up by the English. Goes once there are none. */
export interface Catalogue {
  text(english: string): string;
  /** A value below `head`: only the program's own words are translated, never data. */
  value(head: string, value: string): string;
}
