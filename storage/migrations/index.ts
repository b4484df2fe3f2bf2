/** Lists the migrations by name; `0004-webhooks` would make schema 4. */
import type { Migration } from "kysely/migration";
import { up as schema } from "./0001-schema.ts";
import { up as work } from "./0002-work.ts";
import { up as office } from "./0003-office.ts";

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-schema": { up: schema },
  "0002-work": { up: work },
  "0003-office": { up: office },
};
