/** Reads and stores a merchant's settings: as they were sent, and the logo also in the form that PDFs embed. */
import { readJson } from "../foundation/json.ts";
import type { CleanLogo } from "./clean-logo.ts";
import { dataUrlOf } from "./logo.ts";
import type { SettingsInput } from "./merchant-input.ts";

/** The settings that the API returns. Parts that were never set are empty. */
export type Settings = Required<SettingsInput>;

/** What PDFs show of the merchant, in addition to its name. */
export type Paper = Omit<Settings["paper"], "logo"> & {
  /** A PNG or JPEG file in base64, decoded and encoded again by clean-logo.ts. */
  logo?: string | undefined;
};

interface StoredSettings extends SettingsInput {
  clean_logo?: string;
}

export const NO_SETTINGS: Settings = {
  classification: {},
  numbering: {},
  paper: {},
  vat_payment_suspension: false,
};

/** Reads a value of `settings_json`; null if none was ever set. */
function readStored(settingsJson: string | null): StoredSettings {
  return settingsJson === null ? {} : readJson<StoredSettings>(settingsJson);
}

export function readSettings(settingsJson: string | null): Settings {
  const { clean_logo: _asEmbedded, ...stored } = readStored(settingsJson);
  return { ...NO_SETTINGS, ...stored };
}

export function readPaper(settingsJson: string | null): Paper {
  const { paper = {}, clean_logo: logo } = readStored(settingsJson);
  const { logo: _asSent, ...rest } = paper;
  return logo === undefined ? rest : { ...rest, logo };
}

/** The value of `settings_json`. The logo is stored without the metadata that it was sent with. */
export function storeSettings(settings: SettingsInput, logo: CleanLogo | undefined): string {
  if (logo === undefined) return JSON.stringify(settings);
  const form = dataUrlOf(settings.paper?.logo ?? "");
  const stored: StoredSettings = {
    ...settings,
    paper: { ...settings.paper, logo: form + base64Of(logo.sent) },
    clean_logo: base64Of(logo.embedded),
  };
  return JSON.stringify(stored);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}
