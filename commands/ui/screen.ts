/** The width of an output stream, and whether it shows colours. */
import { outputSettingsOf, type OutputStream, type ProgramIo } from "../io.ts";

/** Used if neither the terminal nor the environment gives the width. */
const COLUMNS_DEFAULT = 80;

/** The columns of the terminal; otherwise the environment variable COLUMNS, or 80. */
export function columnsOf(io: ProgramIo, stream: OutputStream): number {
  const { columns } = stream;
  if (stream.isTTY === true && columns !== undefined && columns > 0) return columns;
  const given = Number(io.env["COLUMNS"] ?? "");
  return Number.isSafeInteger(given) && given > 0 ? given : COLUMNS_DEFAULT;
}

/** In order of precedence: --color always or never, NO_COLOR (no-color.org), FORCE_COLOR (also for pipes; 0 means no), the terminal. */
export function isColoured(io: ProgramIo, stream: OutputStream): boolean {
  const { colour } = outputSettingsOf(io);
  if (colour !== "auto") return colour === "always";
  const { FORCE_COLOR: forced = "", NO_COLOR: refused = "", TERM: terminal } = io.env;
  if (refused !== "" || forced === "0" || forced === "false") return false;
  if (forced !== "") return true;
  return stream.isTTY === true && terminal !== "dumb";
}
