/** What the functions of the product hold in their hand; `src/appliance.ts` makes it, once. */
import type { Store } from "../../storage/open.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Config } from "../config/config.ts";
import type { Space } from "./disk/space-level.ts";
import type { ProviderRegistry } from "../domain/provider-adapter.ts";
import type { TaxIds } from "../domain/tax-id-lookup.ts";
import type { Watch } from "./watch.ts";

/** Where the program tells its operator what happens. `fields` never hold secrets, personal data or bodies. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  /** Its writes throw `service_unavailable` where the database cannot be written for now. */
  readonly store: Store;
  readonly space: Space;
  readonly log: Log;
  /** Is told of each unit of work that is done. */
  readonly watch: Watch;
  readonly providers: ProviderRegistry;
  readonly taxIds: TaxIds;
  /** Aborted when the program must end now: what is on its way to a provider then has no answer. */
  readonly cut: AbortSignal;
  /** Where this server is reached, for links that are given out; without a slash at its end. */
  publicUrl(): string;
  /** Wakes the issuing queue of this process, if it runs one. Never waits. */
  pokeIssuing(): void;
}

/** Who asks, and which call or command caused what is about to happen. */
export interface Cause {
  mode: Mode;
  /** The x-request-id of the API call; null for the command line and for background work. */
  requestId: string | null;
  idempotencyKey: string | null;
}

/** The idempotency of one creation: decisions 4. `fingerprint` is the SHA-256 of the canonical JSON of path parameters and body. */
export interface IdempotencyClaim {
  operation: string;
  key: string;
  fingerprint: string;
}

/** What a creation answers. `json` is the text of the created object, byte for byte that of the first answer when replayed. */
export interface Created {
  id: string;
  json: string;
  replayed: boolean;
}
