/** Command lines that a person can copy into a shell. */

/** `text` as one word of a POSIX shell, quoted where necessary. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
