/** A merchant's settings: its own classification, numbering and paper. Absent parts read as empty. */
import type { MerchantRow } from "../../storage/merchants.ts";
import { readJson } from "../foundation/json.ts";
import type { SettingsInput } from "./merchant-input.ts";

export type Settings = Required<SettingsInput>;

export function readSettings(row: MerchantRow): Settings {
  const { classification = {}, numbering = {}, paper = {} } = readJson<SettingsInput>(row.settings_json);
  return { classification, numbering, paper };
}
