/** Guesses which key a signature was made with, each with the mistake that explains it. */

export interface KeyGuess {
  key: Uint8Array;
  /** The mistake, as a sentence; null for the given secret. */
  mistake: string | null;
}

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const HEX = /^[0-9a-f]{64}$/i;

/** Guesses for the secret in a file, the given one first. `given` is the file's content without the final line break. */
export function guessKeys(given: Uint8Array): KeyGuess[] {
  const asGiven = { key: given, mistake: null };
  const text = decodeText(given);
  return [asGiven, ...(text === undefined ? [] : guessFromText(text)), ...guessFromBytes(given)];
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function guessFromText(text: string): KeyGuess[] {
  const bare = text.trim().replace(/^(["'])(.*)\1$/s, "$2");
  const guesses: KeyGuess[] = [];
  if (bare !== text) {
    const mistake = "the secret in the file has quotation marks, white space or a byte order mark around it";
    guesses.push({ key: Buffer.from(bare), mistake });
  }
  if (bare.startsWith(PREFIX)) guesses.push(...guessWithout(bare.slice(PREFIX.length)));
  else if (BASE64.test(bare)) {
    const mistake = `the secret in the file has lost its prefix: the key is the whole text, ${PREFIX} included`;
    guesses.push({ key: Buffer.from(PREFIX + bare), mistake });
  }
  if (HEX.test(bare)) guesses.push(restored(Buffer.from(bare, "hex")));
  return guesses;
}

/** The secret is complete, but the signature was made with a part of it. */
function guessWithout(rest: string): KeyGuess[] {
  return [
    {
      key: Buffer.from(rest),
      mistake: `the signature was made without the secret's prefix: the key is the whole text, ${PREFIX} included`,
    },
    {
      key: Buffer.from(rest, "base64"),
      mistake:
        "the signature was made with the base64-decoded secret, as webhook-signature is: the key of " +
        "service-signature is the whole text of the secret as UTF-8",
    },
  ];
}

function guessFromBytes(bytes: Uint8Array): KeyGuess[] {
  return bytes.length === SECRET_BYTES ? [restored(bytes)] : [];
}

function restored(bytes: Uint8Array): KeyGuess {
  return {
    key: Buffer.from(PREFIX + Buffer.from(bytes).toString("base64")),
    mistake:
      "the file contains the decoded bytes of the secret: the key is its text, whsec_…, as it was shown",
  };
}
