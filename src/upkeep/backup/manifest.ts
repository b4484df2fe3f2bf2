/** What a backup says of itself: enough to tell what is in it, and whether it can be restored here, without opening it. */
import * as v from "valibot";

/** The tables whose rows are counted, when the backup is made and again when it is restored. */
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
  /** Of this description; what a program does not know it refuses. */
  format: v.literal(1),
  /** The version of fiscal that made it. */
  program: v.string(),
  /** The schema of the database in it. */
  schema: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** When the copy was begun: a UTC instant. */
  created: v.pipe(v.string(), v.isoTimestamp()),
  /** Of the database in it, without what stands around it. */
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Of the same bytes, in hexadecimal. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Rows by table; a table that the schema does not have is not there. */
  counts: v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** The newest event; null where there is none. */
  last_event: v.nullable(v.string()),
});

export type Manifest = v.InferOutput<typeof ManifestSchema>;
