/** Unpacks the zip archive of a workbook within limits: a few kilobytes can unpack to gigabytes. */
import { unzipSync, zipSync } from "fflate";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";

/** Largest packed workbook; the file is read into memory. */
export const WORKBOOK_BYTES_MAX = 16 * 1024 * 1024;
/** Unpacked: about 60,000 rows of documents. Reading them briefly takes several times as much memory. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
/** A workbook with a hundred sheets contains about 300 files. */
const FILES_MAX = 2000;

/**
 * Returns the XML files of a workbook by name. Throws `validation_failed` for a file that is not an archive, and for one above
 * the limits: declared sizes are checked before anything is unpacked, and no file may unpack to more than it declares.
 */
export function unpackWorkbook(bytes: Buffer): Map<string, Buffer> {
  if (bytes.length > WORKBOOK_BYTES_MAX) {
    const size = WORKBOOK_BYTES_MAX;
    throw tooLarge({ en: `${size} bytes packed`, el: `${size} byte συμπιεσμένο` });
  }
  let count = 0;
  let packed = 0;
  let unpacked = 0;
  const files = unzip(bytes, ({ name, size, originalSize }) => {
    count += 1;
    if (count > FILES_MAX) throw tooLarge({ en: `${FILES_MAX} files`, el: `${FILES_MAX} αρχεία` });
    packed += size;
    // Entries that share bytes of the archive unpack to many times its size.
    if (packed > bytes.length) throw damaged();
    if (!/\.(?:xml|rels)$/i.test(name)) return false;
    // A stored entry is as long as its bytes in the archive, whatever it declares.
    unpacked += Math.max(size, originalSize);
    if (unpacked > UNPACKED_BYTES_MAX) {
      const most = UNPACKED_BYTES_MAX;
      throw tooLarge({ en: `${most} bytes unpacked`, el: `${most} byte αποσυμπιεσμένο` });
    }
    return true;
  });
  return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
}

type Filter = (file: { name: string; size: number; originalSize: number }) => boolean;

function unzip(bytes: Buffer, filter: Filter): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof AppError ? error : damaged(error);
  }
}

/** Packs `files` into an archive without compression. */
export function packWorkbook(files: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
}

function tooLarge(limit: Text): AppError {
  return new AppError("validation_failed", {
    en: `The workbook is larger than allowed (${limit.en}); save the sheet as CSV UTF-8, which may be of any size`,
    el: `Το βιβλίο εργασίας υπερβαίνει το επιτρεπτό μέγεθος (${limit.el})· αποθηκεύστε το φύλλο ως CSV UTF-8, που μπορεί να έχει οποιοδήποτε μέγεθος`,
  });
}

export function damaged(cause?: unknown): AppError {
  const text = {
    en: "The workbook cannot be read: it is damaged, password-protected, or not an .xlsx file; save it again as Excel workbook (.xlsx) or as CSV UTF-8",
    el: "Το βιβλίο εργασίας δεν διαβάζεται: είναι κατεστραμμένο, προστατεύεται με κωδικό ή δεν είναι αρχείο .xlsx· αποθηκεύστε το ξανά ως βιβλίο εργασίας Excel (.xlsx) ή ως CSV UTF-8",
  };
  return new AppError("validation_failed", text, cause === undefined ? {} : { cause });
}
