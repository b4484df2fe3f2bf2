/** The fields that each command prints with `--json`, so that `--json FIELDS` is checked before the command does anything. */
import type { Command } from "commander";
import { DocumentObjectSchema } from "../src/journal/document-object.ts";
import { ManifestSchema } from "../src/upkeep/backup/backup-format.ts";
import { fieldsOfVerb } from "./verb.ts";

type Fields = readonly string[];

const fieldsOf = ({ entries }: { entries: object }): Fields => Object.keys(entries);

const namesOf = (words: string): Fields => words.split(" ");

const DOCUMENT = fieldsOf(DocumentObjectSchema);
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
const MAIL = namesOf(
  "id object document to status reason smtp_code attempts created last_attempt_at next_attempt_at",
);
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

/** Of verbs that are written by hand, and what a verb made of an operation prints besides its object. */
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
  // The last four with `--filed`.
  "documents show": ["vies", "object", "document", "format", "content"],
  "documents credit": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents new": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents correct": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents repeat": [...new Set([...DOCUMENT, ...PREVIEW])],
  "documents reconcile": ["from", "to", "differences", "compared"],
  "documents pdf": ["document", "file", "bytes", "written", "skipped", "failed"],
  "documents send": MAIL,
  "customers statement": ["from", "to", "merchant", "merchant_name", "customer", "rows", "total"],
  "reports vat": ["from", "to", "merchants", "totals"],
  "reports income": ["from", "to", "merchants", "totals"],
  "reports overview": ["month", "merchants"],
  "webhooks listen": ["event", "type", "attempt", "status", "error", "duration_ms", "resent"],
  "webhooks verify": ["matches", "reason", "findings"],
  "errors explain": ["code", "meaning", "next"],
};

/** The fields of `command`, sorted; undefined if `--json` takes none there. `name` is its noun and verb. */
export function fieldsOfCommand(command: Command, name: string): Fields | undefined {
  const [own, others] = [fieldsOfVerb(command), FIELDS[name]];
  if (own === undefined && others === undefined) return undefined;
  return [...new Set([...(own ?? []), ...(others ?? [])])].toSorted();
}
