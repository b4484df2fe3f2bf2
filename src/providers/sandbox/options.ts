/** Options of the sandbox. */
import type { SandboxLedger } from "./ledger.ts";

export interface SandboxOptions {
  ledger: SandboxLedger;
  /** Rejects what the authority would reject (docs/contract.md#strict-sandbox). */
  isStrict: boolean;
  /** The address of this server, where the sandbox's document pages are, without a slash at the end. */
  publicUrl(): string;
}
