/** The secret that `webhooks listen` signs with: of the same form as an endpoint's, made once in a data directory. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFileOnce } from "../../../storage/own-file.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { makeListeningFolder } from "./listen-folder.ts";

/** decisions 10. */
const SECRET_BYTES = 32;
/** What an endpoint's secret looks like; other receivers' libraries refuse anything else. */
const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Whether `text` is a secret as endpoints have them: `whsec_` and base64 of 32 bytes. */
export function isWebhookSecret(text: string): boolean {
  return SECRET_FORM.test(text);
}

/** The secret of this data directory, made at the first asking and readable by its owner alone. */
export function loadListenSecret(dataDir: string): string {
  const file = join(makeListeningFolder(dataDir), "secret");
  const text = readSecret(file) ?? makeSecret(file);
  if (isWebhookSecret(text)) return text;
  throw new Error(
    `${file} holds no secret (whsec_ and 44 characters); delete it, and the next start makes one`,
  );
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Two that start together agree on one. */
function makeSecret(file: string): string {
  makeOwnFileOnce(file, `whsec_${randomBytes(SECRET_BYTES).toString("base64")}\n`);
  return readFileSync(file, "utf8").trim();
}
