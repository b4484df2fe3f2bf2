/** Where provider_a is and how it is asked. */
import type { Exchange } from "../exchange.ts";

export interface ProviderAOptions {
  /** The address of the API up to the method's name, such as `https://wrapp.ai/api/v1`. */
  testUrl: string;
  liveUrl: string;
  /** For each exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
  /** The day in Athens, `YYYY-MM-DD`. */
  today(): string;
}
