/** The texts of the sources, read off the syntax tree: for holding a catalogue against what is really said. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";

/** Every text in the files under `folder`, with `{}` where a value goes in. Texts that are added together are one. */
export function readTexts(folder: string): Set<string> {
  const texts = new Set<string>();
  const add = (node: Node) => {
    const text = textOf(node);
    if (text !== undefined) texts.add(text);
  };
  for (const file of sourceFiles(folder))
    visit(file, { Literal: add, TemplateLiteral: add, BinaryExpression: add });
  return texts;
}

/** What a person is told, as far as it stands where it is told: notes, errors, heads of tables, questions. */
export function readToldTexts(folder: string): Set<string> {
  const texts = new Set<string>();
  const add = (node: Node | undefined) => {
    const text = node === undefined ? undefined : textOf(node);
    if (text !== undefined && /\p{L}{2}/u.test(text)) texts.add(text);
  };
  for (const file of sourceFiles(folder)) {
    visit(file, {
      CallExpression({ callee, arguments: given }) {
        if (callee.type !== "Identifier") return;
        if (TELLING.has(callee.name)) add(given[1]);
        if (callee.name === "confirmed") add(given[2]);
        if (callee.name === "printFields") namesOf(given[1]).forEach(add);
      },
      NewExpression({ callee, arguments: given }) {
        if (callee.type === "Identifier" && ERRORS.has(callee.name)) add(given[0]);
      },
      ObjectExpression({ properties }) {
        const values = new Map<string, Node>();
        for (const property of properties)
          if (property.type === "Property" && property.key.type === "Identifier")
            values.set(property.key.name, property.value);
        // A column of a table, or a question that a flag answers.
        add(values.get("head"));
        if (values.has("flag")) add(values.get("message"));
      },
    });
  }
  return texts;
}

const TELLING: ReadonlySet<string> = new Set(["tell", "tellTrouble", "say", "startProgress"]);
const ERRORS: ReadonlySet<string> = new Set(["UsageError", "InterruptedError"]);

/** The names in `[[name, value], …]`. */
function namesOf(fields: Node | undefined): Node[] {
  if (fields?.type !== "ArrayExpression") return [];
  return fields.elements.flatMap((field) =>
    field?.type === "ArrayExpression" && field.elements[0] ? [field.elements[0]] : [],
  );
}

/** Undefined for what is no text. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "TemplateLiteral") return node.quasis.map(({ value }) => value.cooked ?? "").join("{}");
  if (node.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "{}"}${right ?? "{}"}`;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(join("language", "greek")));
}

function visit(file: string, visitor: ConstructorParameters<typeof Visitor>[0]): void {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  new Visitor(visitor).visit(program);
}
