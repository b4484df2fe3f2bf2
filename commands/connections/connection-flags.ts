/** The flags and notes that several verbs of `fiscal connections` share. */
import type { Text } from "../../src/foundation/text.ts";
import { CONNECTABLE_PROVIDERS } from "../../src/providers/built-in.ts";
import { choice } from "../options.ts";

export const readProvider = choice("--provider", CONNECTABLE_PROVIDERS);

/** The note of an example that asks for what is missing. */
export const ASKS_FOR_CREDENTIALS: Text = {
  en: "asks for the credentials",
  el: "ζητά τα διαπιστευτήρια",
};
