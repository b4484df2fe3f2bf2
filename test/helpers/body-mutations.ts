/** Bodies that are wrong: in their values, in their JSON, in their bytes. */

/** Stands in values that are put into requests: no refusal may repeat it. The hyphen keeps it from reading as a name. */
export const MARKER = "Zq7-rejected";

/** From 0 to below 1. */
export type Random = () => number;

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

export function integerUpTo(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** JSON that can be written wrong: keys may come twice, and a leaf is the text that is written. */
type Tree =
  | { kind: "object"; members: [key: string, value: Tree][] }
  | { kind: "array"; items: Tree[] }
  | { kind: "text"; text: string };

function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: "array", items: value.map(treeOf) };
  if (typeof value !== "object" || value === null) return leaf(JSON.stringify(value));
  return { kind: "object", members: Object.entries(value).map(([key, member]) => [key, treeOf(member)]) };
}

function leaf(text: string): Tree {
  return { kind: "text", text };
}

function write(tree: Tree): string {
  if (tree.kind === "text") return tree.text;
  if (tree.kind === "array") return `[${tree.items.map(write).join(",")}]`;
  return `{${tree.members.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(",")}}`;
}

const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}"${MARKER}"${close.repeat(depth)}`;

const quoted = (text: string) => JSON.stringify(text);

/** In the place of any value. Some are no JSON. */
const VALUES: readonly string[] = [
  ...["null", "true", "false", "[]", "{}", '""', '" "', "0", "-0", "-1", "1.5", "0.1", "1.0", "10000"],
  ...["1e400", "-1e400", "1e-400", "9007199254740993", "100000000000000000000", "1".repeat(400), "1E2"],
  ...["NaN", "Infinity", "undefined", "01", "+1", "0x10", ".5", "'x'", "/**/1", "[1,]", "{,}"],
  ...['"NaN"', '"Infinity"', '"1e5"', '"0.0001"', '"-1"', '"1,5"', '"999999999.999"', '"٣"'],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\u0007\\u001b[31m"',
    '"\\ufeff"',
    '"\\uffff"',
    '"\\u202e"',
  ],
  ...['"\u0001"', '"\n"', '"\\x"', '"\\u12"', '"a\\ud800b"', '"\u0391\u0301\u0345"', '"\\ud83d\\ude00"'],
  ...['"2026-02-31"', '"0000-00-00"', '"9999-12-31"', '"2026-11-21T00:00:00Z"', '"+012026-01-01"'],
  ...['"EL"', '"gr"', '"XX"', '"123456789"', '"000000000"', '"__proto__"', '"constructor"', '"category1_1"'],
  ...[
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"toString":1,"length":-1}',
  ],
  ...['{"a":1,"a":2}', '{"":0}', "[[]]", "[null]", nested(20, "[", "]"), nested(33, "[", "]")],
  ...[nested(40, '{"a":', "}"), "[".repeat(50_000), nested(20_000, "[", "]"), `[${"0,".repeat(3000)}0]`],
  ...[quoted(MARKER), quoted(`${MARKER}@example.com`), quoted(`  ${MARKER}  `), quoted(`mer_${MARKER}`)],
  ...[quoted(MARKER + "z".repeat(200)), quoted(MARKER + "z".repeat(5000)), quoted("\u{1F600}".repeat(300))],
  ...[
    quoted(`<b>&"'${MARKER}]]>`),
    quoted(`'; drop table documents; --${MARKER}`),
    quoted(`${MARKER}\u0000`),
  ],
  ...[
    quoted(`javascript:alert(1)//${MARKER}`),
    quoted(`https://user:${MARKER}@localhost/`),
    quoted("https://[::1"),
    quoted("//"),
  ],
  ...[
    `["${MARKER}"]`,
    `{"${MARKER}":"${MARKER}"}`,
    quoted(`${MARKER}\u2028\u200f`),
    quoted("Α".repeat(2001)),
  ],
];

const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "",
  " ",
  MARKER,
  `${MARKER}\u0000`,
  "id",
  "object",
  "mode",
  "\ud800",
];

interface Place {
  members: [key: string, value: Tree][] | undefined;
  items: Tree[] | undefined;
  at: number;
}

function placesOf(tree: Tree): Place[] {
  if (tree.kind === "text") return [];
  const children = tree.kind === "object" ? tree.members.map(([, value]) => value) : tree.items;
  const own = children.map((_child, at) => ({
    members: tree.kind === "object" ? tree.members : undefined,
    items: tree.kind === "array" ? tree.items : undefined,
    at,
  }));
  return [...own, ...children.flatMap(placesOf)];
}

function change(place: Place, by: (value: Tree) => Tree): void {
  const { members, items, at } = place;
  if (members !== undefined) members[at]![1] = by(members[at]![1]);
  else items![at] = by(items![at]!);
}

type Spoil = (random: Random, place: Place) => void;

const hostile = (random: Random) => leaf(pick(random, VALUES));

const SPOILS: readonly Spoil[] = [
  (random, place) => change(place, () => hostile(random)),
  (random, place) => change(place, () => hostile(random)),
  (random, place) => change(place, () => hostile(random)),
  (_random, { members, items, at }) => void (members ?? items)!.splice(at, 1),
  (random, { members, items, at }) => {
    if (members === undefined)
      items!.push(...Array.from({ length: 1 + integerUpTo(random, 20) }, () => items![at]!));
    else members.push(members[at]!);
  },
  (random, { members, at }) => {
    if (members !== undefined) members[at]![0] = pick(random, [...KEYS, members[at]![0].toUpperCase()]);
  },
  (random, { members }) => members?.push([pick(random, KEYS), hostile(random)]),
  (_random, place) => change(place, (value) => ({ kind: "array", items: [value] })),
  (_random, place) => change(place, (value) => ({ kind: "object", members: [["value", value]] })),
  (_random, place) => change(place, (value) => leaf(quoted(write(value)))),
  (random, place) =>
    change(place, (value) => {
      const text = write(value);
      return leaf(
        text.startsWith('"')
          ? quoted(`${text.slice(1, -1)}${pick(random, [MARKER, " ", "\u0000", "9", "\u0301"])}`)
          : text,
      );
    }),
];

const OPENINGS_MAX = 1000;

/** The JSON of `body` with one to three things in it changed. What is no JSON any more stays as it is. */
export function spoilTree(random: Random, body: Buffer): Buffer {
  const text = body.toString();
  // Spoilt before into something that no walk over it comes through.
  if ((text.match(/[[{]/g)?.length ?? 0) > OPENINGS_MAX) return spoilBytes(random, body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return spoilBytes(random, body);
  }
  const root: { kind: "array"; items: Tree[] } = { kind: "array", items: [treeOf(value)] };
  for (let count = 1 + integerUpTo(random, 3); count > 0; count -= 1) {
    const places = placesOf(root);
    const inside = places.length > 1 && random() < 0.95 ? places.slice(1) : places;
    const place = inside.length === 0 ? undefined : pick(random, inside);
    if (place !== undefined) pick(random, SPOILS)(random, place);
  }
  return Buffer.from(root.items.map(write).join(""));
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => integerUpTo(random, 256)));
}

const INVALID_UTF8: readonly number[][] = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
];

const BYTE_SPOILS: readonly ((random: Random, body: Buffer) => Buffer)[] = [
  (random, body) => body.subarray(0, integerUpTo(random, body.length + 1)),
  (random, body) => body.subarray(integerUpTo(random, body.length + 1)),
  (random, body) => {
    const copy = Buffer.from(body);
    for (let count = 0; count < 4 && copy.length > 0; count += 1)
      copy[integerUpTo(random, copy.length)] = integerUpTo(random, 256);
    return copy;
  },
  (random, body) => {
    const at = integerUpTo(random, body.length + 1);
    return Buffer.concat([body.subarray(0, at), Buffer.from(pick(random, INVALID_UTF8)), body.subarray(at)]);
  },
  (_random, body) => Buffer.concat([Buffer.from("\ufeff"), body]),
  (_random, body) => Buffer.concat([Buffer.from("\ufeff\ufeff"), body]),
  (_random, body) => Buffer.from(body.toString(), "utf16le"),
  (_random, body) => Buffer.concat([body, body]),
  (_random, body) => Buffer.concat([body, Buffer.from(` // ${MARKER}`)]),
  (_random, body) => Buffer.from(`[${body.toString()}]`),
  (_random, body) => Buffer.from(body.toString().replaceAll('"', "'")),
  (_random, body) => Buffer.from(encodeURIComponent(body.toString())),
  (random) => randomBytes(random, integerUpTo(random, 300)),
  (random) => Buffer.from(pick(random, VALUES)),
  () => Buffer.alloc(0),
  () => Buffer.from(" \n\t "),
  () => Buffer.from("\0".repeat(100)),
];

/** Other bytes in the place of `body`, or it with some of them changed. */
export function spoilBytes(random: Random, body: Buffer | null): Buffer {
  return pick(random, BYTE_SPOILS)(random, body ?? Buffer.from("{}"));
}
