/** The signing secret of `webhooks listen`: like an endpoint's, created once per data directory. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFileOnce } from "../../../storage/files/private-file.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import { makeListeningFolder } from "./listen-folder.ts";

const SECRET_BYTES = 32;
/** The form of an endpoint's secret; the libraries of receivers refuse anything else. */
const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Whether `text` has the form of an endpoint's secret: `whsec_` and 32 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  return SECRET_FORM.test(text);
}

/** The secret of this data directory, created on first use and readable only by its owner. */
export function loadListenSecret(dataDir: string): string {
  const file = join(makeListeningFolder(dataDir), "secret");
  const text = readSecret(file) ?? makeSecret(file);
  if (isWebhookSecret(text)) return text;
  throw new Error(
    `${file} does not contain a secret (whsec_ and 44 characters); delete it, and the next start creates one`,
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

/** Safe when two processes start at the same time: both use the same secret. */
function makeSecret(file: string): string {
  createPrivateFileOnce(file, `whsec_${randomBytes(SECRET_BYTES).toString("base64")}\n`);
  return readFileSync(file, "utf8").trim();
}
