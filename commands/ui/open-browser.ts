/** Signs the person at the terminal in to the console, in their browser. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../src/foundation/system.ts";

/** The system's program for it, found in the PATH. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Of the folder of data. */
const FILE_NAME = "sign-in.html";
/** Long enough for a slow machine to start its browser. */
const FILE_MS = 60_000;

/**
 * Whether the program that opens browsers could be started. It gets a file that only this user can read and that submits the link: every
 * user of the machine sees the arguments of a program. The browser inherits no setting of fiscal, which may be a secret.
 */
export async function signInWithBrowser(
  link: string,
  { dataDir, env }: { dataDir: string; env: Readonly<Record<string, string | undefined>> },
): Promise<boolean> {
  const file = join(dataDir, FILE_NAME);
  rmSync(file, { force: true });
  writePrivateFile(file, pageFor(link), "wx");
  setTimeout(() => rmSync(file, { force: true }), FILE_MS).unref();
  return start(file, env);
}

/** Not listhen's `open`, which runs a file of the shared temporary folder. */
function start(file: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const others = Object.entries(env).filter(([name]) => !/^fiscal_/i.test(name));
  const child = spawn(program, [...args, file], {
    env: Object.fromEntries(others),
    stdio: "ignore",
    detached: true,
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

/** The button is for a browser without scripts. `link` has no character that HTML would escape. */
function pageFor(link: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>fiscal</title>
<form method="post" action="${link}"><button>Sign in / Είσοδος</button></form>
<script>document.forms[0].submit();</script>
</html>
`;
}
