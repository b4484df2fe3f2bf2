/** Command lines that a person can copy into a shell. */

/** `text` as one word, quoted where necessary: for a POSIX shell, or on Windows for both the Command Prompt and PowerShell. */
export function quoted(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? quotedOnWindows(text) : quotedForPosix(text);
}

function quotedForPosix(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A backslash right before the closing quote would make it a part of the word. */
function quotedOnWindows(text: string): string {
  if (/^[\w:./\\-]+$/.test(text)) return text;
  return `"${text.replaceAll('"', '""').replace(/\\$/, "\\\\")}"`;
}
