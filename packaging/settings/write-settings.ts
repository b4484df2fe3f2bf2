/** Writes config.example.toml and docs/configuration.md: `npm run config:docs`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderConfigurationPage, renderExample } from "./render-settings.ts";

const root = join(import.meta.dirname, "../..");
writeFileSync(join(root, "config.example.toml"), renderExample());
writeFileSync(join(root, "docs/configuration.md"), renderConfigurationPage());
