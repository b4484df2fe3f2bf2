/** Words as shells hand them over and want them back. */
import type { Shell } from "./scripts.ts";

/**
 * bash cuts words at `=` and `:` (COMP_WORDBREAKS): `--type=1.1` comes as three. Neither stands alone on a line of ours,
 * so each joins what is before and behind it.
 */
export function joinSplit(words: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const isBreak = word === "=" || word === ":";
    if ((isBreak || isOpen) && joined.length > 0) joined.push(`${joined.pop() ?? ""}${word}`);
    else joined.push(word);
    isOpen = isBreak;
  }
  return joined;
}

/** The word behind its quotation marks and backslashes; one that is still open ends where it ends. */
export function unquote(word: string): string {
  let text = "";
  let mark = "";
  for (let at = 0; at < word.length; at += 1) {
    const letter = word[at] ?? "";
    if (mark === "'" ? letter === "'" : mark !== "" && letter === mark) mark = "";
    else if (mark === "" && (letter === "'" || letter === '"')) mark = letter;
    else if (letter === "\\" && mark !== "'") text += word[(at += 1)] ?? "";
    else text += letter;
  }
  return text;
}

/** bash puts the word on the line as it is; zsh and fish quote it themselves. */
export function quote(shell: Shell, word: string): string {
  return shell === "bash" ? word.replace(/[^\w@%+=:,./\p{L}-]/gu, "\\$&") : word;
}
