/** What the verbs of `fiscal merchants` do. */
import { AppError } from "../../src/foundation/errors.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { readJsonInput } from "../input.ts";
import { tell } from "../io.ts";
import { type ListOptions, runList as runPagedList } from "../lists.ts";
import { merchantNamed } from "./find-merchant.ts";
import { printJson } from "../ui/json.ts";
import { askFor, confirmed } from "../ui/prompt.ts";
import { type Column, printFields } from "../ui/table.ts";

export interface AddOptions {
  externalId?: string;
  name?: string;
  taxId?: string;
  branch?: number;
  metadata?: Record<string, string>;
}

export type UpdateOptions = AddOptions;

export interface MerchantListOptions extends ListOptions {
  externalId?: string;
  taxId?: string;
  archived?: "true" | "false";
}

const COLUMNS: readonly Column<MerchantObject>[] = [
  { head: "id", value: (merchant) => merchant.id },
  { head: "external id", value: (merchant) => merchant.external_id },
  { head: "name", value: (merchant) => merchant.name },
  { head: "tax number", value: (merchant) => merchant.tax_id ?? "-" },
  { head: "branch", align: "right", value: (merchant) => String(merchant.branch) },
  { head: "archived", value: (merchant) => (merchant.archived ? "yes" : "no") },
];

async function printMerchant(context: CommandContext, merchant: MerchantObject): Promise<void> {
  if (context.options.json === true) return printJson(context.io.stdout, merchant);
  await printFields(context.io, [
    ["id", merchant.id],
    ["external id", merchant.external_id],
    ["name", merchant.name],
    ["tax number", merchant.tax_id],
    ["branch", merchant.branch],
    ["archived", merchant.archived ? "yes" : "no"],
    ["created", merchant.created],
    ...Object.entries(merchant.metadata).map(([key, value]) => [`metadata ${key}`, value] as const),
  ]);
}

export async function runAdd(context: CommandContext, options: AddOptions): Promise<void> {
  const { io } = context;
  const externalId = await askFor(io, options.externalId, {
    flag: "--external-id",
    message: "Your own id of the merchant",
  });
  const name = await askFor(io, options.name, { flag: "--name", message: "Name" });
  const { createMerchant, getMerchant } = await import("../../src/merchants/merchants.ts");
  const body = bodyOf({ ...options, externalId, name });
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const created = await createMerchant(appliance, body, causeOf(mode)).catch(tellHowToLookUp);
    return getMerchant(appliance, created.id);
  });
  await printMerchant(context, merchant);
}

/** The API's message names its own way to look it up. */
function tellHowToLookUp(error: unknown): never {
  if (!(error instanceof AppError && error.code === "already_exists")) throw error;
  const message =
    "A merchant with this external id exists; `fiscal merchants show` with that external id shows it";
  throw new AppError("already_exists", message, { cause: error });
}

/** The API's body for what the flags give; what is not given is not in it. */
function bodyOf(options: AddOptions): Record<string, unknown> {
  const { externalId, name, taxId, branch, metadata } = options;
  const body = { external_id: externalId, name, tax_id: taxId, branch, metadata };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export async function runUpdate(
  context: CommandContext,
  merchantName: string,
  options: UpdateOptions,
): Promise<void> {
  const body = bodyOf(options);
  if (Object.keys(body).length === 0) {
    throw new UsageError("nothing to change: give --external-id, --name, --tax-id, --branch or --metadata");
  }
  if (options.metadata !== undefined) body["metadata"] = withRemovals(options.metadata);
  const { updateMerchant } = await import("../../src/merchants/merchants.ts");
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, merchantName);
    return updateMerchant(appliance, id, body, causeOf(mode));
  });
  await printMerchant(context, merchant);
}

/** In the API null removes a pair; a flag can only leave the value empty. */
function withRemovals(metadata: Record<string, string>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, value === "" ? null : value]),
  );
}

export async function runList(context: CommandContext, options: MerchantListOptions): Promise<void> {
  const { listMerchants } = await import("../../src/merchants/merchants.ts");
  const filters = {
    external_id: options.externalId,
    tax_id: options.taxId,
    archived: options.archived === undefined ? undefined : options.archived === "true",
  };
  await context.withAppliance((appliance) =>
    runPagedList(context, options, {
      plural: "merchants",
      columns: COLUMNS,
      fetch: (page) => listMerchants(appliance, { ...filters, ...page }),
    }),
  );
}

export async function runShow(context: CommandContext, name: string): Promise<void> {
  await printMerchant(context, await context.withAppliance((appliance) => merchantNamed(appliance, name)));
}

export async function runArchive(
  context: CommandContext,
  name: string,
  yes: boolean | undefined,
): Promise<ExitCode> {
  if (
    !(await confirmed(context.io, yes, "Archive this merchant? Nothing new is issued for it from then on."))
  ) {
    await tell(context.io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { archiveMerchant } = await import("../../src/merchants/merchants.ts");
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, name);
    return archiveMerchant(appliance, id, causeOf(mode));
  });
  await printMerchant(context, merchant);
  return EXIT.done;
}

export async function runUnarchive(context: CommandContext, name: string): Promise<void> {
  const { unarchiveMerchant } = await import("../../src/merchants/merchants.ts");
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, name);
    return unarchiveMerchant(appliance, id, causeOf(mode));
  });
  await printMerchant(context, merchant);
}

/** Settings are nested, so they are shown as JSON with and without `--json`. */
export async function runSettings(
  context: CommandContext,
  name: string,
  file: string | undefined,
): Promise<void> {
  const { getSettings, putSettings } = await import("../../src/merchants/merchants.ts");
  const body = file === undefined ? undefined : await readJsonInput(context.io, file);
  const settings = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, name);
    return body === undefined ? getSettings(appliance, id) : putSettings(appliance, id, body, causeOf(mode));
  });
  await printJson(context.io.stdout, settings);
}
