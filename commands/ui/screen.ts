/** What a stream shows: how wide it is, and whether it shows colours. */
import { mannersOf, type OutputStream, type ProgramIo } from "../io.ts";

/** Where neither the terminal nor the environment says it. */
const COLUMNS_DEFAULT = 80;

/** The columns of the terminal behind `stream`; elsewhere what COLUMNS says, or 80. */
export function columnsOf(io: ProgramIo, stream: OutputStream): number {
  const { columns } = stream;
  if (stream.isTTY === true && columns !== undefined && columns > 0) return columns;
  const told = Number(io.env["COLUMNS"] ?? "");
  return Number.isSafeInteger(told) && told > 0 ? told : COLUMNS_DEFAULT;
}

/** How wide a table may be. A pipe or a file takes every column whole: a program reads it, or a search. */
export function tableWidth(io: ProgramIo, stream: OutputStream): number {
  return stream.isTTY === true ? columnsOf(io, stream) : Number.POSITIVE_INFINITY;
}

/** The flag says no first, then NO_COLOR (no-color.org); FORCE_COLOR says yes for pipes too, and with 0 no. */
export function isColoured(io: ProgramIo, stream: OutputStream): boolean {
  const { FORCE_COLOR: forced = "", NO_COLOR: refused = "", TERM: terminal } = io.env;
  if (mannersOf(io).plain || refused !== "" || forced === "0" || forced === "false") return false;
  if (forced !== "") return true;
  return stream.isTTY === true && terminal !== "dumb";
}
