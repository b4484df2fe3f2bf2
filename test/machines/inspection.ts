/** Checks what must hold after the run. Each violation is a line. */
import type { Plan } from "./play.ts";
import { readAll, type Reader } from "./reader.ts";
import type { Scene } from "./scene.ts";

interface Outcome {
  plan: Plan;
  /** By idempotency key, the id of the document. */
  accepted: ReadonlyMap<string, string>;
  readers: readonly Reader[];
}

interface Document {
  id: string;
  status: string;
  uid: string;
  mark: string;
}

export async function inspect(scene: Scene, outcome: Outcome): Promise<string[]> {
  const { plan, accepted } = outcome;
  return [
    ...(await inspectDocuments(scene, accepted)),
    ...(await inspectNumbers(scene, plan)),
    ...(await inspectLists(scene, outcome)),
    ...(await inspectChain(scene, plan)),
    ...(await inspectExits(scene)),
  ];
}

/** Every accepted document is issued, and has the only filing of its uid. */
async function inspectDocuments({ registry, run }: Scene, accepted: Outcome["accepted"]): Promise<string[]> {
  const list = (await run("documents", "list", "--all", "--json")) as { data: Document[] };
  const violations: string[] = [];
  const ids = new Set(list.data.map(({ id }) => id));
  if (ids.size !== accepted.size) violations.push(`${ids.size} documents instead of ${accepted.size}`);
  for (const [reference, id] of accepted) if (!ids.has(id)) violations.push(`${reference} is lost: ${id}`);
  const filings = Map.groupBy(registry.ledger, ({ uid }) => uid);
  for (const { id, status, uid, mark } of list.data) {
    const marks = (filings.get(uid) ?? []).map((filing) => filing.mark);
    if (status !== "issued" || marks.length !== 1 || marks[0] !== mark)
      violations.push(`${id} is ${status} with the MARK ${mark}; its filings: ${marks.join(", ")}`);
  }
  return violations;
}

interface Counter {
  series: string;
  numbers: { number: number; state: string }[];
}

/** The numbers of each series are 1 to n, all issued. */
async function inspectNumbers({ run }: Scene, plan: Plan): Promise<string[]> {
  const { counters } = (await run("numbering", "audit", "--json")) as { counters: Counter[] };
  const wrong = counters.filter(({ numbers }) =>
    numbers.some(({ number, state }, index) => number !== index + 1 || state !== "issued"),
  );
  const count = counters.reduce((sum, { numbers }) => sum + numbers.length, 0);
  return [
    ...wrong.map(({ series }) => `the numbers of ${series} have gaps, or are not all issued`),
    ...(counters.length === plan.series ? [] : [`${counters.length} series instead of ${plan.series}`]),
    ...(count === plan.documents ? [] : [`${count} numbers instead of ${plan.documents}`]),
  ];
}

/** Both servers list the same, each reader saw exactly that, and each document was accepted and issued once. */
async function inspectLists(scene: Scene, { accepted, readers }: Outcome): Promise<string[]> {
  const violations: string[] = [];
  for (const { followed, ids } of readers) {
    const lists = await Promise.all(scene.machines.map(({ url }) => readAll({ ...followed, url })));
    for (const list of lists.map((items) => items.map(({ id }) => id))) {
      if (new Set(list).size !== list.length) violations.push(`${followed.path} lists something twice`);
      if (ids.join() !== list.join())
        violations.push(`${followed.name}: ${ids.length}, not the ${list.length} of the list in their order`);
    }
  }
  const events = await readAll(readers[0]!.followed);
  for (const type of ["document.created", "document.issued"]) {
    const count = events.filter((event) => event.type === type).length;
    if (count !== accepted.size) violations.push(`${count} events ${type} instead of ${accepted.size}`);
  }
  return violations;
}

async function inspectChain({ run }: Scene, plan: Plan): Promise<string[]> {
  const chain = (await run("audit", "--json")) as { intact: boolean; documents: number; problems: unknown[] };
  const isSound = chain.intact && chain.documents === plan.documents && chain.problems.length === 0;
  return isSound ? [] : [`the audit found: ${JSON.stringify(chain)}`];
}

async function inspectExits({ machines }: Scene): Promise<string[]> {
  const codes = await Promise.all(machines.map((machine) => machine.stop()));
  return codes.every((code) => code === 0) ? [] : [`the servers ended with ${codes.join(" and ")}`];
}
