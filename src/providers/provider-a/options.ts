/** Options of provider_a. */
import type { ClientOptions } from "./client.ts";

export interface ProviderAOptions extends ClientOptions {
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
}
