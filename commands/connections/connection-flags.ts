/** The flags that several verbs of `fiscal connections` share. */
import type { Text } from "../../src/foundation/text.ts";
import { PROVIDERS, type Provider } from "../../storage/stored-values.ts";
import { choice } from "../options.ts";

/** The sandbox needs no connection. */
export const CONNECTABLE: readonly Provider[] = PROVIDERS.filter((provider) => provider !== "sandbox");

export const readProvider = choice("--provider", CONNECTABLE);

/** The note of an example that asks for what is missing. */
export const ASKS_FOR_CREDENTIALS: Text = {
  en: "asks for the credentials",
  el: "ζητά τα διαπιστευτήρια",
};
