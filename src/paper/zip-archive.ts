/** Builds a ZIP archive piece by piece. PDFs are compressed already, so files are stored as they are. */
import { Zip, ZipPassThrough } from "fflate";

export interface ZipArchive {
  /** Returns the next pieces of the archive. */
  add(name: string, bytes: Uint8Array): Uint8Array[];
  /** Returns the last pieces. */
  end(): Uint8Array[];
}

export function createZipArchive(): ZipArchive {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  return {
    add(name, bytes) {
      const entry = new ZipPassThrough(name);
      zip.add(entry);
      entry.push(bytes, true);
      return pieces.splice(0);
    },
    end() {
      zip.end();
      return pieces.splice(0);
    },
  };
}
