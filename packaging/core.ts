/**
 * Imports what nearly every command loads. The build imports this file everywhere, so that esbuild writes all of it into one file: it splits code
 * by who imports it, which would otherwise make a hundred small files of it, and each takes a third of a millisecond to load.
 */
import "commander";
import "../commands/documents/index.ts";
import "../commands/documents/document-view.ts";
import "../commands/root-command.ts";
import "../src/appliance.ts";
import "../src/config/config.ts";
import "../src/providers/provider-a/adapter.ts";
import "../src/providers/registry-direct/adapter.ts";
import "../src/providers/sandbox/sandbox.ts";
