/**
 * The uploaded files, in memory: they hold customers' data, and what was issued from them is stored with its documents. After a
 * restart a file is uploaded again, which issues nothing twice.
 */
import type { Appliance } from "../../../../src/appliance.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import type { TableFormat } from "../../../../src/intake/table-head.ts";
import type { Mode } from "../../../../storage/stored-values.ts";

/** Of one form with its file: about 60,000 rows. */
export const FILE_FORM_BYTES_MAX = 8 * 1024 * 1024;
/** The newest are kept. */
const UPLOADS_MAX = 8;

export interface Upload {
  /** From the form, so that a form that is sent twice is one upload. */
  key: string;
  mode: Mode;
  merchantId: string;
  name: string;
  format: TableFormat;
  bytes: Buffer;
  /** The checked documents, until the columns change. */
  checked?: readonly Verdict[] | undefined;
  /** What became of each document once they were issued. */
  issued?: Promise<readonly Verdict[]> | undefined;
}

const KEPT = new WeakMap<Appliance, Map<string, Upload>>();

function uploadsOf(appliance: Appliance): Map<string, Upload> {
  const uploads = KEPT.get(appliance) ?? new Map<string, Upload>();
  KEPT.set(appliance, uploads);
  return uploads;
}

/** Keeps `upload`, unless its form was sent before. */
export function keepUpload(appliance: Appliance, upload: Upload): void {
  const uploads = uploadsOf(appliance);
  if (uploads.has(upload.key)) return;
  uploads.set(upload.key, upload);
  const [oldest] = uploads.keys();
  if (uploads.size > UPLOADS_MAX && oldest !== undefined) uploads.delete(oldest);
}

/** Undefined where it is no longer kept, or of the other mode. */
export function findUpload(appliance: Appliance, mode: Mode, key: string): Upload | undefined {
  const upload = uploadsOf(appliance).get(key);
  return upload?.mode === mode ? upload : undefined;
}
