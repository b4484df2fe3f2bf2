/** Settings that are the first line of a file: passwords, passphrases and addresses. */

/** Without the mark that Windows editors put at the start of a file. */
export function firstLineOf(text: string): string {
  return text.replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0]!;
}
