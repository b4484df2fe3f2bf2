/**
 * Every setting there is (decisions 14): its default and what it may be. Configuration files and the environment are
 * read by this table; config.example.toml says the same for people, and a test compares the two.
 */
import { integer, networks, seconds, type Setting, text, url, word } from "../foundation/setting.ts";
import { PROVIDER_SETTINGS } from "./provider-settings.ts";

const DAYS_MAX = 36_500;

/** By the path in the file. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  data_dir: text(),
  default_mode: word("test", ["test", "live"]),

  "server.host": text("127.0.0.1"),
  "server.port": integer(8787, 0, 65_535),
  "server.socket": text(),
  "server.socket_mode": { default: "0660", kind: { kind: "permissions" } },
  "server.tls_cert_file": text(),
  "server.tls_key_file": text(),
  "server.tls_key_passphrase_file": text(),
  "server.tls_check_seconds": integer(10, 1, 3600),
  "server.public_url": url(""),
  "server.max_body_bytes": integer(4_194_304, 1024, 67_108_864),
  "server.max_header_bytes": integer(16_384, 4096, 1_048_576),
  "server.max_headers": integer(100, 20, 2000),
  "server.max_connections": integer(2048, 1, 1_000_000),
  "server.max_connections_per_address": integer(1024, 0, 1_000_000),
  "server.headers_timeout_seconds": integer(20, 1, 3600),
  "server.request_timeout_seconds": integer(120, 1, 3600),
  "server.write_timeout_seconds": integer(60, 1, 3600),
  // Longer than the idle time of usual proxies, so that it is never we who close a connection that one is about to use.
  "server.keep_alive_seconds": integer(75, 1, 3600),
  "server.trusted_proxies": { default: [], kind: { kind: "networks", mayBeUnix: true } },
  "server.platform_request_id_header": { default: "", kind: { kind: "header" } },
  "server.metrics_token": text(),
  "server.shutdown_seconds": integer(10, 0, 600),

  "storage.database": text(),
  "storage.min_free_mb": integer(100, 0, 1_048_576),
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
  "webhooks.allow_networks": networks(),
  "webhooks.disable_after_days": integer(5, 1, DAYS_MAX),

  "retention.request_bodies_days": integer(30, 1, DAYS_MAX),
  "retention.provider_bodies_days": integer(90, 1, DAYS_MAX),
  "retention.rows_days": integer(400, 1, DAYS_MAX),
  "retention.events_days": integer(400, 1, DAYS_MAX),
  "retention.deliveries_days": integer(90, 1, DAYS_MAX),

  "backup.directory": text(),
  "backup.schedule": { default: "", kind: { kind: "schedule" } },
  "backup.keep": integer(14, 0, 10_000),
  "backup.passphrase_file": text(),

  ...PROVIDER_SETTINGS,

  "tax_ids.registry_url": url("https://ec.europa.eu/taxation_customs/vies/rest-api"),
  "tax_ids.timeout_seconds": integer(15, 1, 300),
  "tax_ids.cache_hours": integer(24, 0, 24),

  "log.level": word("info", ["debug", "info", "warn", "error"]),
  "log.format": word("json", ["json", "pretty"]),
};
