/** Corrupts bodies: their values, their JSON or their bytes. */
import { KEYS, MARKER, quoted, VALUES } from "./hostile-values.ts";

/** Returns a number from 0 up to, not including, 1. */
export type Random = () => number;

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

export function integerUpTo(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** JSON that can be written incorrectly: keys may repeat, and leaves are raw text. */
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

/** The JSON of `body` with one to three changes. A body that is no longer JSON is left as it is. */
export function spoilTree(random: Random, body: Buffer): Buffer {
  const text = body.toString();
  // Mutated earlier into something that cannot be walked.
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

/** Random bytes instead of `body`, or `body` with some bytes changed. */
export function spoilBytes(random: Random, body: Buffer | null): Buffer {
  return pick(random, BYTE_SPOILS)(random, body ?? Buffer.from("{}"));
}
