/**
 * The uploaded files, in memory: they hold customers' data, and what was issued from them is stored with its documents. After a
 * restart a file is uploaded again, which issues nothing twice.
 */
import type { Appliance } from "../../../../src/appliance.ts";
import { hasPassed } from "../../../../src/foundation/clock.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import type { ColumnMap } from "../../../../src/intake/column-map.ts";
import type { TableFormat } from "../../../../src/intake/table-head.ts";
import type { Mode } from "../../../../src/domain/vocabulary.ts";

/** Of one form with its file: about 60,000 rows. */
export const FILE_FORM_BYTES_MAX = 8 * 1024 * 1024;
/** The newest of each mode are kept. */
const UPLOADS_MAX = 8;
/** Long enough to read the errors of a file; a corrected file is a new upload. */
export const KEPT_MS = 60 * 60 * 1000;

export interface Upload {
  /** From the form, so that a form that is sent twice is one upload. */
  key: string;
  mode: Mode;
  merchantId: string;
  name: string;
  format: TableFormat;
  /** Empty once it is issued. */
  bytes: Buffer;
  /** An instant; it is not kept longer. */
  until: string;
  /** The checked documents. */
  checked?: Checked | undefined;
  /** What became of each document once they were issued. */
  issued?: Promise<readonly Verdict[]> | undefined;
}

export interface Checked {
  /** What the columns meant. */
  map: ColumnMap;
  verdicts: readonly Verdict[];
}

const KEPT = new WeakMap<Appliance, Map<string, Upload>>();

function uploadsOf(appliance: Appliance): Map<string, Upload> {
  const uploads = KEPT.get(appliance) ?? new Map<string, Upload>();
  KEPT.set(appliance, uploads);
  return uploads;
}

/** Keeps `upload`, unless its form was sent before. */
export function keepUpload(appliance: Appliance, upload: Omit<Upload, "until">): void {
  const uploads = uploadsOf(appliance);
  if (uploads.has(upload.key)) return;
  const until = new Date(appliance.clock.nowMs() + KEPT_MS).toISOString();
  uploads.set(upload.key, { ...upload, until });
  setTimeout(() => uploads.delete(upload.key), KEPT_MS).unref();
  const ofMode = [...uploads.values()].filter(({ mode }) => mode === upload.mode);
  if (ofMode.length > UPLOADS_MAX) uploads.delete(ofMode[0]!.key);
}

/** Undefined where it is no longer kept, or of the other mode. */
export function findUpload(appliance: Appliance, mode: Mode, key: string): Upload | undefined {
  const uploads = uploadsOf(appliance);
  const upload = uploads.get(key);
  if (upload?.mode !== mode) return undefined;
  // The timer stops while the machine sleeps.
  if (hasPassed(upload.until, appliance.clock.nowMs())) uploads.delete(key);
  return uploads.get(key);
}
