/**
 * The program on Windows (docs/windows.md), tried with Wine; skipped where Wine is not installed (`apt-get install wine`).
 * Not tried here, because Wine 8 cannot: the single executable, which contains Node 24; access lists, because Wine's icacls does
 * nothing (test/storage/windows-access.test.ts has a fake of it); real network shares; Task Scheduler.
 */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { beforeAll, describe, expect, test } from "vitest";
import { HAS_WINE, openWindows } from "../helpers/wine.ts";
import { forAllTests } from "../helpers/set-up.ts";

const HEADER = "reference,type,issue_date,description,quantity,unit_price,vat_category,payment_method";

describe.skipIf(!HAS_WINE)("on Windows, as far as Wine has it", () => {
  let data: string;
  let key = "";
  const windows = forAllTests(openWindows);
  beforeAll(async () => {
    data = windows.path("Τα δεδομένα μου");
  });

  const fiscal = (...args: string[]) => windows.run(["--data-dir", data, ...args]);

  /** Writes a table with one receipt, and returns its path. */
  function receipt(name: string, reference: string, encoding = "utf8"): string {
    const row = `${reference},11.1,2026-11-02,Ψωμί χωριάτικο,1,2.50,2,cash`;
    writeFileSync(join(windows.folder, name), iconv.encode(`${HEADER}\r\n${row}\r\n`, encoding));
    return windows.path(name);
  }

  test("quick start works in a folder with a Greek name, and quotes it for the shells of Windows", async () => {
    const { code, stdout, stderr } = await fiscal("quickstart");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("12 accepted: 11 issued") });
    expect(stdout.match(/\tissued\t/g)).toHaveLength(11);
    expect(stderr).toContain('fiscal --data-dir "./Τα δεδομένα μου" numbering audit\n');
    key = /fiscal_test_\w+/.exec(stdout)?.[0] ?? "";
    expect(key).not.toBe("");
  });

  test("an error is a message with its exit code, also when stderr is a pipe or closed", async () => {
    const args = ["--data-dir", data, "documents", "show", "missing"];
    expect(await windows.run(args)).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringMatching(/^fiscal: There is no document/),
    });
    expect(await windows.runWithoutStderr(args)).toMatchObject({ code: 3, stdout: "" });
  });

  test("standard input and output are UTF-8", async () => {
    const text = `${HEADER}\r\nΑΠΟΔΕΙΞΗ-1,11.1,2026-11-02,Γάλα,1,1.10,2,cash\r\n`;
    const issue = [
      "--data-dir",
      data,
      "documents",
      "issue",
      "-",
      "--format",
      "csv",
      "--merchant",
      "quickstart",
    ];
    expect(await windows.run(issue, text)).toMatchObject({ code: 0 });
    const { stdout } = await fiscal("documents", "show", "ΑΠΟΔΕΙΞΗ-1", "--json=external_reference,status");
    expect(JSON.parse(stdout)).toEqual({ external_reference: "ΑΠΟΔΕΙΞΗ-1", status: "issued" });
  });

  test("a table of Greek Excel in Windows-1253 is issued", async () => {
    const file = receipt("πωλήσεις.csv", "EXCEL-1", "windows-1253");
    const { code, stderr } = await fiscal("documents", "issue", file, "--merchant", "quickstart");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Windows-1253") });
  });

  test("writes the PDF, the export and the backup, verifies it and audits", async () => {
    const file = (name: string) => readFileSync(join(windows.folder, name));
    const range = ["--from", "2026-01-01", "--to", "2026-12-31"];
    for (const args of [
      ["documents", "pdf", "EXCEL-1", "--output", windows.path("απόδειξη.pdf")],
      ["documents", "export", ...range, "--output", windows.path("εξαγωγή.csv")],
      ["backup", windows.path("αντίγραφο.db")],
      ["backup", "verify", windows.path("αντίγραφο.db")],
      ["audit"],
      ["doctor"],
    ])
      expect({ args, ...(await fiscal(...args)) }).toMatchObject({ args, code: 0 });
    expect(file("απόδειξη.pdf").subarray(0, 5).toString()).toBe("%PDF-");
    expect(file("εξαγωγή.csv").toString()).toContain("EXCEL-1");
  });

  test("a server answers, shares its data with a command, and Ctrl-C stops it", async () => {
    const server = windows.type(["--data-dir", data, "serve", "--port", "0"]);
    const address = /http:\/\/127\.0\.0\.1:\d+/;
    while (!address.test(server.shown())) await once(server.child.stdout!, "data");
    const file = receipt("second.csv", "SECOND-1");
    expect(await fiscal("documents", "issue", file, "--merchant", "quickstart")).toMatchObject({ code: 0 });
    const url = address.exec(server.shown())?.[0] ?? "";
    const response = await fetch(`${url}/api/v1/documents?external_reference=SECOND-1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await response.json()).toMatchObject({ data: [{ status: "issued" }] });
    server.child.stdin?.write("\u0003");
    expect(await server.ended).toBe(0);
    expect(server.shown()).toContain("stopped");
  });

  test("paths may be longer than 260 characters, and have the form for long paths", async () => {
    const long = windows.path("μακρύ-όνομα-φακέλου-".repeat(6), "και-άλλο-μακρύ-όνομα-".repeat(6));
    expect(long.length).toBeGreaterThan(260);
    for (const folder of [long, `\\\\?\\${windows.path("short")}`])
      expect(await windows.run(["--data-dir", folder, "init", "--yes"])).toMatchObject({ code: 0 });
  });

  test("a data directory on a network share is refused", async () => {
    const run = await windows.run(["--data-dir", "\\\\server\\share\\fiscal", "init", "--yes"]);
    expect(run).toMatchObject({ code: 78, stderr: expect.stringContaining("network file system") });
  });

  test("says so when another program has a file open", async () => {
    writeFileSync(join(windows.folder, "open.csv"), "");
    const path = JSON.stringify(windows.path("open.csv"));
    // UV_FS_O_EXLOCK of libuv: nobody else may open the file, as with Excel.
    const stop = await windows.keep(
      `fs.openSync(${path}, fs.constants.O_RDWR | 0x10000000); fs.writeSync(1, "open"); ` +
        'require("node:fs").createReadStream("", { fd: 0 }).resume().on("end", () => process.exit());',
    );
    const range = ["--from", "2026-01-01", "--to", "2026-12-31"];
    const run = await fiscal("documents", "export", ...range, "--output", windows.path("open.csv"));
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain("another program has it open");
    await stop();
  });
});
