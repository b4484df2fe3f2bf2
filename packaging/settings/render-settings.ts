/** Writes config.example.toml and docs/configuration.md from the table of settings: `npm run config:docs`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT_SECRETS, environmentName, SECTION_DOCS, SETTINGS } from "../../src/config/settings.ts";
import type { Setting, SettingValue } from "../../src/foundation/setting.ts";

const WIDTH = 120;

const EXAMPLE_HEAD = `Every setting of fiscal with its default. A configuration file is optional, and so is every setting in it.

The file is --config FILE, or FISCAL_CONFIG, or config.toml in the data directory, or config.toml in the user's configuration directory (~/.config/fiscal on Linux); never a file in the working directory. Only root and the user who runs fiscal may be able to write to it. Environment variables override the file: FISCAL_ and the path of the setting joined by two underscores, as in FISCAL_SERVER__PORT=9000, with lists separated by commas. Flags override both. Relative paths start from the current directory. Unknown settings end the program with exit code 78.

${describeSecrets()}`;

function describeSecrets(): string {
  const secrets = Object.values(ENVIRONMENT_SECRETS).map(({ variable, doc }) => `${variable}: ${doc}`);
  return `Only the environment may contain these secrets:\n${secrets.join("\n")}`;
}

/** The valid values if the type does not imply them; otherwise empty. */
function describeRange({ limits, words }: Setting): string {
  const range = limits?.join(" to ") ?? words?.map((word) => `"${word}"`).join(", ");
  return range === undefined ? "" : `Valid: ${range}.`;
}

function toToml(value: SettingValue): string {
  return Array.isArray(value) ? `[${value.join(", ")}]` : JSON.stringify(value);
}

function comment(text: string): string {
  const lines = text.split("\n").flatMap((paragraph) => {
    const wrapped: string[] = [];
    let line = "#";
    for (const word of paragraph.split(" ").filter((part) => part !== "")) {
      if (line.length + 1 + word.length > WIDTH) {
        wrapped.push(line);
        line = "#";
      }
      line += ` ${word}`;
    }
    return [...wrapped, line];
  });
  return `${lines.join("\n")}\n`;
}

function renderSetting(name: string, setting: Setting): string {
  return `${comment(`${setting.doc} ${describeRange(setting)}`)}${name} = ${toToml(setting.default)}\n`;
}

/** The settings of each table of the file, in its order, by the path of the table: empty for the top. */
const SECTIONS = Map.groupBy(Object.entries(SETTINGS), ([path]) =>
  path.slice(0, Math.max(0, path.lastIndexOf("."))),
);

export function renderExample(): string {
  const sections = [...SECTIONS].map(([section, settings]) => {
    const doc = SECTION_DOCS[section];
    const head = section === "" ? "" : `${doc === undefined ? "" : comment(doc)}[${section}]\n`;
    return head + settings.map(([path, setting]) => renderSetting(path.split(".").at(-1)!, setting)).join("");
  });
  return `${comment(EXAMPLE_HEAD)}\n${sections.join("\n")}`;
}

const DOC_HEAD = `# Configuration

<!-- Generated from src/config/settings.ts by \`npm run config:docs\`. -->

A configuration file is optional, and so is every setting in it. Flags override the environment, the environment overrides the
file, and the file overrides the defaults. The file is \`--config FILE\`, or \`FISCAL_CONFIG\`, or
\`config.toml\` in the data directory, or \`config.toml\` in the user's configuration directory (\`~/.config/fiscal\` on Linux);
never a file in the working directory. If anyone other than root and the user who runs fiscal can write to the file, to its
folder, or to an adapter's module, the program ends with exit code 78. Relative paths start from the current
directory. Unknown settings end the program with exit code 78. [config.example.toml](../config.example.toml) has every setting
with its default.

In environment variables, lists are separated by commas. At start, the server logs the effective settings, and of secrets only
whether they are set.
`;

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function renderRow(path: string, setting: Setting): string {
  const { doc, default: value, isSecret } = setting;
  const range = describeRange(setting);
  const secret = isSecret === true ? " Secret." : "";
  const name = `\`${path}\`<br>\`${environmentName(path)}\``;
  return `| ${name} | \`${toToml(value)}\` | ${cell(`${doc}${range === "" ? "" : ` ${range}`}${secret}`)} |\n`;
}

export function renderConfigurationPage(): string {
  const sections = [...SECTIONS].map(([section, settings]) => {
    const heading = section === "" ? "General" : `\`[${section}]\``;
    const doc = SECTION_DOCS[section];
    const rows = settings.map(([path, setting]) => renderRow(path, setting));
    return `## ${heading}\n\n${doc === undefined ? "" : `${doc}\n\n`}| Setting | Default | Meaning |\n|---|---|---|\n${rows.join("")}`;
  });
  const secrets = Object.values(ENVIRONMENT_SECRETS).map(
    ({ variable, doc }) => `| \`${variable}\` | ${cell(doc)} |\n`,
  );
  return `${DOC_HEAD}\n${sections.join("\n")}\n## Secrets in the environment only\n\n| Variable | Meaning |\n|---|---|\n${secrets.join("")}`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "../..");
  writeFileSync(join(root, "config.example.toml"), renderExample());
  writeFileSync(join(root, "docs/configuration.md"), renderConfigurationPage());
}
