/** Converts words from and to the form of each shell. */
import type { Shell } from "./scripts.ts";

/**
 * bash splits words at `=` and `:` (COMP_WORDBREAKS), so that `--type=1.1` arrives as three words. Neither is ever a word of
 * its own here, so they are joined with their neighbours.
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

/** Removes quotation marks and backslashes. An unclosed quotation extends to the end. */
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

/** Quotes for bash, which inserts the word unchanged; zsh and fish quote it themselves. */
export function quote(shell: Shell, word: string): string {
  return shell === "bash" ? word.replace(/[^\w@%+=:,./\p{L}-]/gu, "\\$&") : word;
}
