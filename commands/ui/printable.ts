/** Removes characters that control the terminal from foreign text: names, provider messages, file contents. */

/** Replaces control characters, including line breaks, and characters that change the text direction by spaces. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}

/** The same, keeping line breaks. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
