/** The server under what packaging/systemd/fiscal.service forbids. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";
import { spawnBuilt } from "../helpers/server-process.ts";
import { findFreePort } from "../helpers/serving.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PERL = "/usr/bin/perl";

/**
 * Runs a program without sockets of the family AF_NETLINK, as systemd's RestrictAddressFamilies does it: a seccomp filter that answers
 * `socket(16, …)` with EAFNOSUPPORT.
 */
const WITHOUT_NETLINK = `
my %numbers = (x86_64 => [41, 157], aarch64 => [198, 167]);
my ($socket, $prctl) = @{$numbers{(split " ", \`uname -m\`)[0]}};
my $filter = join "", map pack("SCCL", @$_),
  [0x20, 0, 0, 0], [0x15, 0, 3, $socket], [0x20, 0, 0, 16], [0x15, 0, 1, 16], [6, 0, 0, 0x50000 | 97], [6, 0, 0, 0x7fff0000];
my $program = pack("Sx6P", 6, $filter);
syscall($prctl, 38, 1, 0, 0, 0) == 0 && syscall($prctl, 22, 2, $program) == 0 or die $!;
exec @ARGV;
`;

test.skipIf(process.platform !== "linux" || !existsSync(PERL))(
  "becomes ready on every interface without AF_NETLINK, and ends at SIGTERM",
  async () => {
    const unit = readFileSync(join(ROOT, "packaging/systemd/fiscal.service"), "utf8");
    expect(unit).toMatch(/^RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX$/m);
    const folder = makeFolder();
    const port = String(await findFreePort());
    const child = spawnBuilt(["serve", "--host", "0.0.0.0", "--port", port], {
      folder,
      command: [PERL, "-e", WITHOUT_NETLINK, process.execPath, join(ROOT, "bin/fiscal.js")],
    });
    const exited = once(child, "exit");
    try {
      await once(child.stdout, "data");
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    } finally {
      child.kill("SIGTERM");
      await exited;
    }
    expect(await exited).toEqual([0, null]);
  },
);
