/**
 * Every setting there is (decisions 14): its default and what it may be. Configuration files, the environment and the
 * description of what is in force are read off this table; config.example.toml says the same for people, and a test
 * compares the two.
 */

export type Kind =
  | { kind: "text"; secret?: true }
  | { kind: "word"; words: readonly string[] }
  | { kind: "integer"; minimum: number; maximum: number }
  | { kind: "seconds" }
  | { kind: "texts" };

export type Value = string | number | readonly number[] | readonly string[];

export interface Setting {
  default: Value;
  kind: Kind;
}

function text(value = ""): Setting {
  return { default: value, kind: { kind: "text" } };
}
function secret(): Setting {
  return { default: "", kind: { kind: "text", secret: true } };
}
function word(value: string, words: readonly string[]): Setting {
  return { default: value, kind: { kind: "word", words } };
}
function integer(value: number, minimum: number, maximum: number): Setting {
  return { default: value, kind: { kind: "integer", minimum, maximum } };
}
/** A list of pauses: each at least 0, the first usually 0. */
function seconds(value: readonly number[]): Setting {
  return { default: value, kind: { kind: "seconds" } };
}
function texts(): Setting {
  return { default: [], kind: { kind: "texts" } };
}

const DAYS_MAX = 36_500;
const DAY_SECONDS = 86_400;

/** By the path in the file. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  data_dir: text(),
  default_mode: word("test", ["test", "live"]),

  "server.host": text("127.0.0.1"),
  "server.port": integer(8787, 0, 65_535),
  "server.public_url": text(),
  "server.max_body_bytes": integer(4_194_304, 1024, 67_108_864),
  "server.trusted_proxies": texts(),
  "server.platform_request_id_header": text(),
  "server.metrics_token": secret(),
  "server.shutdown_seconds": integer(10, 0, 600),

  "storage.database": text(),
  "security.master_key_file": text(),

  "rate_limit.requests": integer(1000, 0, 1_000_000_000),
  "rate_limit.window_seconds": integer(10, 1, 3600),
  "rate_limit.lookups": integer(60, 0, 1_000_000_000),
  "rate_limit.failed_auth": integer(30, 0, 1_000_000_000),

  "issuing.concurrency": integer(8, 1, 256),
  "issuing.delays_seconds": seconds([0, 10, 60, 300]),
  "issuing.lease_seconds": integer(60, 1, 3600),

  "webhooks.concurrency": integer(16, 1, 1024),
  "webhooks.timeout_seconds": integer(15, 1, 300),
  "webhooks.delays_seconds": seconds([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]),
  "webhooks.allow_networks": texts(),
  "webhooks.disable_after_days": integer(5, 1, DAYS_MAX),

  "retention.request_bodies_days": integer(30, 1, DAYS_MAX),
  "retention.provider_bodies_days": integer(90, 1, DAYS_MAX),
  "retention.rows_days": integer(400, 1, DAYS_MAX),
  "retention.events_days": integer(400, 1, DAYS_MAX),
  "retention.deliveries_days": integer(90, 1, DAYS_MAX),

  // mydata facts 1.1: the production host is spelt with one "a" fewer than the test host.
  "providers.registry_direct.test_url": text("https://mydataapidev.aade.gr"),
  "providers.registry_direct.live_url": text("https://mydatapi.aade.gr/myDATA"),
  "providers.registry_direct.timeout_seconds": integer(30, 1, 300),
  "providers.registry_direct.settle_seconds": integer(120, 0, DAY_SECONDS),
  "providers.registry_direct.regime": word("warn", ["warn", "refuse", "off"]),
  "providers.provider_a.test_url": text("https://staging.wrapp.ai/api/v1"),
  "providers.provider_a.live_url": text("https://wrapp.ai/api/v1"),
  "providers.provider_a.timeout_seconds": integer(30, 1, 300),
  "providers.provider_b.module": text(),
  "providers.provider_c.module": text(),
  "providers.provider_d.module": text(),
  "providers.provider_e.module": text(),

  "tax_ids.registry_url": text("https://ec.europa.eu/taxation_customs/vies/rest-api"),
  "tax_ids.timeout_seconds": integer(15, 1, 300),
  "tax_ids.cache_hours": integer(24, 0, 24),

  "log.level": word("info", ["debug", "info", "warn", "error"]),
  "log.format": word("json", ["json", "pretty"]),
};

const PAUSE_SECONDS_MAX = 30 * DAY_SECONDS;
const PAUSES_MAX = 50;

/** What is wrong with `value` for the setting, or undefined when it fits. Never repeats the value. */
export function problemWith(value: unknown, { kind }: Setting): string | undefined {
  switch (kind.kind) {
    case "text":
      return typeof value === "string" ? undefined : "must be text";
    case "word":
      return typeof value === "string" && kind.words.includes(value) ? undefined : `must be one of ${kind.words.join(", ")}`;
    case "integer":
      return isIntegerWithin(value, kind.minimum, kind.maximum)
        ? undefined
        : `must be a whole number from ${kind.minimum} to ${kind.maximum}`;
    case "seconds":
      return Array.isArray(value) && value.length >= 1 && value.length <= PAUSES_MAX && value.every(isPause)
        ? undefined
        : `must be a list of 1 to ${PAUSES_MAX} pauses in seconds`;
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "must be a list of texts";
  }
}

function isIntegerWithin(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum;
}

function isPause(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= PAUSE_SECONDS_MAX;
}

/** A value as the environment writes it: numbers in digits, lists separated by commas. */
export function readEnvironmentText(given: string, { kind }: Setting): unknown {
  switch (kind.kind) {
    case "text":
    case "word":
      return given;
    case "integer":
      return /^\d+$/.test(given.trim()) ? Number(given) : given;
    case "seconds":
      return listOf(given).map((item) => (/^\d+(\.\d+)?$/.test(item) ? Number(item) : item));
    case "texts":
      return listOf(given);
  }
}

function listOf(given: string): string[] {
  return given
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((item) => item.trim().replace(/^"|"$/g, ""))
    .filter((item) => item !== "");
}
