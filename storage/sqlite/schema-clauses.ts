/** Splits the SQL that created a table or index into its clauses, so that two schemas can be compared clause by clause. */

/** Quoted text, a comment, or any other character. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\s+|[^]/g;

/**
 * The clauses of a statement: its head (`create table documents`), each column and constraint, and what follows the last
 * bracket (`strict`). Spaces and comments do not count, and neither does the case of what is not quoted.
 */
export function clausesOf(sql: string): string[] {
  const clauses: string[] = [];
  let clause = "";
  let depth = 0;
  const end = () => {
    if (clause.trim() !== "") clauses.push(clause.trim());
    clause = "";
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (depth === 0 && token === "(") end();
    if (depth === 1 && (token === ")" || token === ",")) end();
    const isSeparator = (depth === 0 && token === "(") || (depth === 1 && (token === ")" || token === ","));
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (!isSeparator) clause += normalise(token);
  }
  end();
  return clauses.map((text) => text.replaceAll(/ +/g, " ").replaceAll(/ ?([(),=<>]) ?/g, "$1"));
}

function normalise(token: string): string {
  if (/^(\s|--|\/\*)/.test(token)) return " ";
  return /^['"]/.test(token) ? token : token.toLowerCase();
}
