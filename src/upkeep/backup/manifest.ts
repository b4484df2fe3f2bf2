/** The manifest of a backup: what it contains, and whether it can be restored here, readable without opening it. */
import * as v from "valibot";

/** The tables whose rows are counted when the backup is made, and again when it is restored. */
export const COUNTED_TABLES = [
  "merchants",
  "connections",
  "documents",
  "events",
  "webhook_endpoints",
  "api_keys",
  "provider_calls",
  "requests",
] as const;

export const ManifestSchema = v.object({
  object: v.literal("backup"),
  /** Version of the manifest. Unknown versions are rejected. */
  format: v.literal(1),
  /** The version of fiscal that made it. */
  program: v.string(),
  /** The schema of the database in it. */
  schema: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** When the copy began; a UTC instant. */
  created: v.pipe(v.string(), v.isoTimestamp()),
  /** Length of the database, without manifest and encryption. */
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** SHA-256 of the database, in hexadecimal. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Rows by table, for the tables that the schema has. */
  counts: v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** Id of the newest event; null if there is none. */
  last_event: v.nullable(v.string()),
});

export type Manifest = v.InferOutput<typeof ManifestSchema>;
