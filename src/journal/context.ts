/** The services that the product's functions work with. `src/appliance.ts` creates them once. */
import type { Store } from "../../storage/database/store.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Config } from "../config/config.ts";
import type { Space } from "./disk/space-level.ts";
import type { ProviderRegistry } from "../domain/provider-adapter.ts";
import type { TaxIds } from "../domain/tax-number.ts";
import type { Watch } from "./watch.ts";

/** The operator's log. `fields` never contain secrets, personal data or bodies. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  /** Its writes throw `service_unavailable` while the database cannot be written. */
  readonly store: Store;
  readonly space: Space;
  readonly log: Log;
  /** Counts and logs each finished unit of work. */
  readonly watch: Watch;
  readonly providers: ProviderRegistry;
  readonly taxIds: TaxIds;
  /** Aborted when the program must end at once. Provider calls in progress then have no answer. */
  readonly cut: AbortSignal;
  /** The address of this server in links, without a trailing slash. */
  publicUrl(): string;
  /** Wakes the issuing queue of this process, if it has one. Never waits. */
  pokeIssuing(): void;
}

/** What causes a change: the mode, and the API request if there is one. */
export interface Cause {
  mode: Mode;
  /** The x-request-id of the API call; null for the command line and for background work. */
  requestId: string | null;
  idempotencyKey: string | null;
}

/** The idempotency key of one creation (docs/contract.md#idempotency-records). `fingerprint`: see idempotency.ts. */
export interface IdempotencyUse {
  operation: string;
  key: string;
  readonly fingerprint: string;
}

/** The result of a creation. `json` is the created object; a replay returns the first response byte for byte. */
export interface Created {
  id: string;
  json: string;
  replayed: boolean;
}
