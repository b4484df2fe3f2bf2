/** Options of provider_a. */
import type { Exchange } from "../exchange.ts";

export interface ProviderAOptions {
  /** The address of the API, such as `https://wrapp.ai/api/v1`. */
  testUrl: string;
  liveUrl: string;
  /** Per exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
}
