/** Texts of others (names, provider messages, what a file says) must not steer the terminal. */

/** On one line: control characters, line breaks among them, and those that turn the direction of writing become spaces. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}

/** The same for several lines, which stay so. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
