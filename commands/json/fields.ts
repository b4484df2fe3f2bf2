/** The fields that each command prints with `--json`, so that `--json FIELDS` is checked before the command does anything. */
import type { Command } from "commander";
import { ConnectionObjectSchema } from "../../src/issuing/connection-object.ts";
import { DocumentObjectSchema } from "../../src/journal/document-object.ts";
import { ApiRequestDetailSchema } from "../../src/logs/log-objects.ts";
import { ManifestSchema } from "../../src/upkeep/backup/manifest.ts";
import { COUNTER_FIELDS } from "../../src/operations/counters.ts";
import { fieldsOfVerb } from "../verb.ts";

type Fields = readonly string[];

const fieldsOf = ({ entries }: { entries: object }): Fields => Object.keys(entries);

const namesOf = (words: string): Fields => words.split(" ");

const DOCUMENT = fieldsOf(DocumentObjectSchema);
const CONNECTION = fieldsOf(ConnectionObjectSchema);
const PREVIEW: Fields = ["provider", "type", "totals", "classification", "payload"];
/** With `--dry-run`. */
const VERDICT: Fields = [
  "object",
  "place",
  "reference",
  "valid",
  ...PREVIEW.slice(0, -1),
  "error",
  "problems",
];
/** With `--filed`. */
const FILING: Fields = ["object", "document", "format", "content"];
const MAIL = namesOf(
  "id object document to status reason smtp_code attempts created last_attempt_at next_attempt_at",
);
const COLUMN_MAP: Fields = ["object", "merchant"];
const UNPACKED: Fields = [
  "object",
  "file",
  "program",
  "created",
  "sha256",
  "schema",
  "counts",
  "last_event",
  "encrypted",
];

const FIELDS: Readonly<Record<string, Fields>> = {
  init: ["data_dir", "database", "master_key", "created"],
  serve: ["url"],
  console: ["object", "mode", "read_only", "url", "expires_at", "ended"],
  // The last two with `--live-checklist`.
  doctor: ["object", "healthy", "findings", "merchant", "items"],
  audit: namesOf("object intact events forgotten redacted head documents problems problems_found"),
  backup: [...fieldsOf(ManifestSchema), "file", "file_bytes", "file_sha256", "encrypted", "removed"],
  "backup verify": [...UNPACKED, "sound", "key_tried"],
  restore: ["object", "database", "held", "kept_aside", "backup"],
  resume: ["object", "held", "backup_at", "documents", "deliveries", "resumed"],
  move: ["object", "database", "rows", "tables"],
  erase: namesOf(
    "object dry_run documents connections requests provider_calls events idempotency_keys connect_sessions lookups " +
      "listing_windows deliveries customers mails",
  ),
  trigger: DOCUMENT,
  "documents issue": [...new Set([...DOCUMENT, ...VERDICT])],
  "documents preview": PREVIEW,
  "documents show": [...new Set([...DOCUMENT, "vies", ...FILING])],
  "documents retry": DOCUMENT,
  "documents credit": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents new": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents correct": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents repeat": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents reconcile": ["from", "to", "differences", "compared"],
  "documents pdf": ["document", "file", "bytes", "written", "skipped", "failed"],
  "documents send": MAIL,
  "documents map show": [...COLUMN_MAP, "columns", "values", "defaults", "ignore", "updated"],
  "documents map forget": [...COLUMN_MAP, "deleted"],
  "customers statement": ["from", "to", "merchant", "merchant_name", "customer", "rows", "total"],
  "reports vat": ["from", "to", "merchants", "totals"],
  "reports income": ["from", "to", "merchants", "totals"],
  "reports overview": ["month", "merchants"],
  "connections add": CONNECTION,
  "numbering set": COUNTER_FIELDS,
  "numbering audit": ["counters", "holes", "backwards"],
  "requests show": [...fieldsOf(ApiRequestDetailSchema), "requests", "provider_calls", "events"],
  "webhooks listen": ["event", "type", "attempt", "status", "error", "duration_ms", "resent"],
  "webhooks verify": ["matches", "reason", "findings"],
  "keys rotate-master": ["object", "from", "to", "resumed", "resealed", "unreadable", "retired_key_file"],
  "errors explain": ["code", "meaning", "next"],
};

/** The fields of `command`, sorted; undefined if `--json` takes none there. `name` is its noun and verb. */
export function fieldsOfCommand(command: Command, name: string): Fields | undefined {
  return (fieldsOfVerb(command) ?? FIELDS[name])?.toSorted();
}
