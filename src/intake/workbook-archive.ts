/**
 * The archive that an .xlsx file is, opened under limits. The library that reads workbooks inflates whatever an archive
 * holds, and a few kilobytes can hold gigabytes: it is given a copy of what was unpacked here, and nothing else.
 */
import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { AppError } from "../foundation/errors.ts";

/** The largest workbook, packed: it is read whole. */
export const WORKBOOK_BYTES_MAX = 16 * 1024 * 1024;
/** The same unpacked: some 60,000 rows of documents. Memory is several times that for a moment. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
/** A workbook of a hundred sheets has some three hundred. */
const ENTRIES_MAX = 2000;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;

const inflate = promisify(inflateRaw);

interface Entry {
  name: string;
  method: number;
  packed: Buffer;
  /** As the archive declares it. */
  size: number;
}

/**
 * The XML files of a workbook by their name in it. Throws `validation_failed` for what is no archive, and for one that is
 * larger than the limits: what an entry declares is checked before it is unpacked, and held to while it is.
 */
export async function unpackWorkbook(bytes: Buffer): Promise<Map<string, Buffer>> {
  if (bytes.length > WORKBOOK_BYTES_MAX) throw tooLarge("packed", WORKBOOK_BYTES_MAX);
  const entries = listEntries(bytes).filter(({ name }) => /\.(?:xml|rels)$/i.test(name));
  const declared = entries.reduce((sum, { size }) => sum + size, 0);
  if (declared > UNPACKED_BYTES_MAX) throw tooLarge("unpacked", UNPACKED_BYTES_MAX);
  const files = new Map<string, Buffer>();
  for (const entry of entries) files.set(entry.name, await unpack(entry));
  return files;
}

function listEntries(bytes: Buffer): Entry[] {
  const end = findEnd(bytes);
  if (end === undefined) throw damaged();
  const count = bytes.readUInt16LE(end + 10);
  if (count > ENTRIES_MAX) throw tooLarge("in files", ENTRIES_MAX);
  let place = bytes.readUInt32LE(end + 16);
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (place + DIRECTORY_BYTES > bytes.length || bytes.readUInt32LE(place) !== DIRECTORY_SIGNATURE)
      throw damaged();
    const nameLength = bytes.readUInt16LE(place + 28);
    entries.push(readEntry(bytes, place, nameLength));
    place += DIRECTORY_BYTES + nameLength + bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
  }
  return entries;
}

/** Where the directory's end record stands: the last one, with nothing behind it but its comment. */
function findEnd(bytes: Buffer): number | undefined {
  const first = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let place = bytes.length - END_BYTES; place >= first; place -= 1) {
    if (bytes.readUInt32LE(place) === END_SIGNATURE) return place;
  }
  return undefined;
}

function readEntry(bytes: Buffer, place: number, nameLength: number): Entry {
  const packedSize = bytes.readUInt32LE(place + 20);
  const local = bytes.readUInt32LE(place + 42);
  const isLocal = local + LOCAL_BYTES <= bytes.length && bytes.readUInt32LE(local) === LOCAL_SIGNATURE;
  if (!isLocal) throw damaged();
  if ((bytes.readUInt16LE(place + 8) & ENCRYPTED_FLAG) !== 0) throw damaged();
  const start = local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (start + packedSize > bytes.length) throw damaged();
  return {
    name: bytes.toString("utf8", place + DIRECTORY_BYTES, place + DIRECTORY_BYTES + nameLength),
    method: bytes.readUInt16LE(place + 10),
    packed: bytes.subarray(start, start + packedSize),
    size: bytes.readUInt32LE(place + 24),
  };
}

async function unpack({ method, packed, size }: Entry): Promise<Buffer> {
  if (method === STORED && packed.length === size) return packed;
  if (method !== DEFLATED) throw damaged();
  try {
    const unpacked = await inflate(packed, { maxOutputLength: Math.max(1, size) });
    if (unpacked.length === size) return unpacked;
  } catch (error) {
    throw damaged(error);
  }
  throw damaged();
}

/** An archive of `files`, none of them packed. */
export function packWorkbook(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  for (const [name, content] of files) {
    const { local, central } = headersOf(Buffer.from(name), content, place);
    parts.push(local, content);
    directory.push(central);
    place += local.length + content.length;
  }
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const VERSION_NEEDED = 20;
const UTF8_FLAG = 0x0800;

function headersOf(name: Buffer, content: Buffer, place: number): { local: Buffer; central: Buffer } {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(VERSION_NEEDED, 0);
  common.writeUInt16LE(UTF8_FLAG, 2);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.alloc(4);
  local.writeUInt32LE(LOCAL_SIGNATURE);
  const central = Buffer.alloc(6);
  central.writeUInt32LE(DIRECTORY_SIGNATURE);
  central.writeUInt16LE(VERSION_NEEDED, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(place, 10);
  return {
    local: Buffer.concat([local, common, name]),
    central: Buffer.concat([central, common, rest, name]),
  };
}

function tooLarge(what: string, limit: number): AppError {
  return new AppError(
    "validation_failed",
    `The workbook is larger than a workbook may be (${limit} bytes ${what}); save the sheet as CSV UTF-8, which may be of any size`,
  );
}

export function damaged(cause?: unknown): AppError {
  const message =
    "The workbook cannot be read: it is damaged, protected by a password, or no .xlsx file; save it again as Excel workbook (.xlsx) or as CSV UTF-8";
  return new AppError("validation_failed", message, cause === undefined ? {} : { cause });
}
