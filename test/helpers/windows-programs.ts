/** Fakes of `icacls` and `whoami`, found where Windows has them: in `System32` below `SystemRoot`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The id of the user that the fake `whoami` names. */
export const USER = "S-1-5-21-11-22-33-1001";

export function installWindowsPrograms(folder: string) {
  const programs = join(folder, "System32");
  const lists = join(folder, "lists.json");
  mkdirSync(programs, { recursive: true });
  writeFileSync(lists, "{}");
  const write = (name: string, code: string) =>
    writeFileSync(join(programs, `${name}.exe`), `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
  write("whoami", WHOAMI);
  write("icacls", `const LISTS = ${JSON.stringify(lists)};\n${ICACLS}`);
  const read = () => JSON.parse(readFileSync(lists, "utf8")) as Record<string, string>;
  return {
    /** Value for `SystemRoot`. */
    root: folder,
    /** Gives `path` an access list, as in `D:(A;;FA;;;BU)`. Without one, `icacls` fails, as on a disk that has none. */
    allow: (path: string, list: string) => writeFileSync(lists, JSON.stringify({ ...read(), [path]: list })),
    /** The access list of `path`. */
    listOf: (path: string) => read()[path],
  };
}

export type WindowsPrograms = ReturnType<typeof installWindowsPrograms>;

/** Prints the name in the code page of a Greek console, as Windows does. */
const WHOAMI = `
if (process.argv.slice(2).join(" ") !== "/user /fo csv /nh") process.exit(1);
process.stdout.write(Buffer.concat([Buffer.from('"pc\\\\'), Buffer.from([0x82, 0xe0]), Buffer.from('","${USER}"\\r\\n')]));
`;

/** Understands \`/save FILE\`, which writes UTF-16, and the removal of inherited entries together with new ones. */
const ICACLS = `
const fs = require("node:fs");
const [path, ...words] = process.argv.slice(2);
const lists = JSON.parse(fs.readFileSync(LISTS, "utf8"));
if (lists[path] === undefined) process.exit(5);
if (words[0] === "/save" && words.length === 2)
  fs.writeFileSync(words[1], require("node:path").basename(path) + "\\r\\n" + lists[path] + "\\r\\n", "utf16le");
else if (words[0] === "/inheritance:r" && words[1] === "/grant:r" && words.length > 2) {
  const entries = words.slice(2).map((word) => {
    const [, account, flags, right] = /^\\*(S-1-[\\d-]+):((?:\\(OI\\)\\(CI\\))?)(F)$/.exec(word);
    return "(A;" + flags.replace(/[()]/g, "") + ";" + right + "A;;;" + account + ")";
  });
  fs.writeFileSync(LISTS, JSON.stringify({ ...lists, [path]: "D:PAI" + entries.join("") }));
} else process.exit(87);
`;
