import { describe, expect, test } from "vitest";
import { sameInBoth } from "../../src/foundation/text.ts";
import { describeFileError } from "../../commands/file-errors.ts";
import { errorObjectOf, errorTextOf, exitCodeOf, InterruptedError, UsageError } from "../../commands/exit.ts";
import { AppError, ConfigurationError, ERROR_CODES, type ErrorCode } from "../../src/foundation/errors.ts";
import { StorageError } from "../../storage/database/errors.ts";
import { openWorkshop } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const EXIT_OF_CODE: Record<ErrorCode, number> = {
  validation_failed: 2,
  unauthorized: 1,
  not_found: 3,
  idempotency_conflict: 1,
  idempotency_in_progress: 5,
  already_exists: 1,
  payload_too_large: 2,
  unsupported_media_type: 2,
  not_supported: 1,
  connection_unavailable: 1,
  rate_limited: 5,
  internal_error: 1,
  service_unavailable: 5,
  invalid_state: 1,
  regime_mismatch: 4,
  provider_credentials_invalid: 4,
  provider_rejected: 4,
  balance_exceeded: 4,
  provider_unavailable: 5,
  pdf_not_ready: 5,
};

test.each(ERROR_CODES.map((code) => ({ code, exit: EXIT_OF_CODE[code] })))(
  "the exit code of $code is $exit",
  ({ code, exit }) => {
    expect(exitCodeOf(new AppError(code, sameInBoth("x")))).toBe(exit);
  },
);

test.each([
  { error: new UsageError(sameInBoth("x")), exit: 2 },
  { error: new ConfigurationError(sameInBoth("x")), exit: 78 },
  { error: new StorageError({ en: "x", el: "x" }), exit: 78 },
  { error: Object.assign(new Error("disk is full"), { code: "SQLITE_FULL" }), exit: 78 },
  { error: Object.assign(new Error("unique"), { code: "SQLITE_CONSTRAINT_UNIQUE" }), exit: 1 },
  { error: new InterruptedError(sameInBoth("x")), exit: 130 },
  { error: new TypeError("x"), exit: 1 },
  { error: "text", exit: 1 },
])("the exit code is $exit for $error", ({ error, exit }) => {
  expect(exitCodeOf(error)).toBe(exit);
});

describe("an error", () => {
  test.each([
    ["EACCES", "this user has no permission", "ο χρήστης αυτός δεν έχει το δικαίωμα"],
    ["EISDIR", "it is a folder", "είναι φάκελος"],
  ])("of a file names the file and the reason: %s", (code, en, el) => {
    const failure = Object.assign(new Error(code), { code, syscall: "open" });
    const error = describeFileError(failure, "a.csv");
    expect(errorTextOf(error)).toContain(`a.csv cannot be used: ${en}\n`);
    expect(errorTextOf(error, "el")).toContain(`το a.csv δεν μπορεί να χρησιμοποιηθεί: ${el}\n`);
  });

  test("is the API's error object as JSON, whatever was thrown", () => {
    const providers = { provider_code: "102", provider_message: "no" };
    expect(errorObjectOf(new AppError("provider_rejected", { en: "x", el: "χ" }, providers))).toEqual({
      code: "provider_rejected",
      message: "x",
      provider_code: "102",
      provider_message: "no",
      retryable: false,
    });
    expect(errorObjectOf(new TypeError("x"))).toMatchObject({
      code: "internal_error",
      message: "x",
      retryable: false,
    });
  });

  test.each([
    { error: new UsageError(sameInBoth("--x is missing")), hint: "--help" },
    { error: new AppError("not_found", sameInBoth("There is none")), hint: "--live" },
    {
      error: new AppError("service_unavailable", sameInBoth("It does not answer")),
      hint: "Try the same command again later",
    },
  ])("is shown with its next step: $hint", ({ error, hint }) => {
    const [first, second, ...rest] = errorTextOf(error, "en", "documents").split("\n");
    expect(first).toBe(`fiscal: ${error.message}`);
    expect(second).toContain(hint);
    expect(rest).toEqual([""]);
  });

  test("is one line if there is no hint", () => {
    expect(errorTextOf(new AppError("invalid_state", sameInBoth("Not now")))).toBe("fiscal: Not now\n");
  });
});

const workshop = forAllTests(openWorkshop);

test.each([
  ["102", "not active", "tax number"],
  ["201", "not authorised", "connections verify"],
])("errors explain says what %s means and what to do", async (code, meaning, next) => {
  expect(await workshop.read(`errors explain ${code}`)).toEqual({
    code,
    meaning: expect.stringContaining(meaning),
    next: expect.stringContaining(next),
  });
  const greek = await workshop.run(`--lang el errors explain ${code}`);
  expect(greek.stdout).toMatch(/σημασία.+\n.*τι να κάνετε/);
});

test("errors explain tells an unknown code from a malformed one", async () => {
  expect(await workshop.run("errors explain 999")).toMatchObject({ exitCode: 3 });
  expect(await workshop.run("errors explain abc")).toMatchObject({ exitCode: 2 });
});
