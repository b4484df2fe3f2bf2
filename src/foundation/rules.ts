/**
 * Schema rules with a message in both languages. Valibot's messages are strings, so the text travels in the `requirement` of
 * the issue, where valibot's own rules put their limit.
 */
import * as v from "valibot";
import { NOT_AN_EMAIL } from "./messages.ts";
import type { Text } from "./text.ts";

/** `action`, reporting the text that `findProblem` returns. Its own check and message are not used, its JSON Schema is. */
function withTexts<Input, Action extends v.BaseValidation<Input, Input, v.BaseIssue<unknown>>>(
  action: Action,
  findProblem: (value: Input) => Text | undefined,
): Action {
  return {
    ...action,
    "~run"(dataset: v.OutputDataset<Input, v.BaseIssue<unknown>>) {
      const text = dataset.typed ? findProblem(dataset.value) : undefined;
      if (text !== undefined) addProblem(dataset, text);
      return dataset;
    },
  };
}

/** Adds an issue with `text`, for the value itself or, with a path, for one inside it. */
export function addProblem(
  dataset: { value: unknown; issues?: v.BaseIssue<unknown>[] | undefined },
  text: Text,
  path?: [v.IssuePathItem, ...v.IssuePathItem[]],
): void {
  dataset.issues ??= [];
  dataset.issues.push({
    kind: "validation",
    type: "rule",
    input: dataset.value,
    expected: null,
    received: "",
    message: text.en,
    requirement: text,
    ...(path === undefined ? {} : { path }),
  });
}

/** Fails with `text` unless `test` holds. Like `v.check`, it does not appear in the JSON Schema. */
export function rule<Input>(test: (value: Input) => boolean, text: Text): v.CheckAction<Input, undefined> {
  return withTexts<Input, v.CheckAction<Input, undefined>>(v.check(test), (value) =>
    test(value) ? undefined : text,
  );
}

/** Fails with the text that `findProblem` returns. */
export function ruleWith<Input>(
  findProblem: (value: Input) => Text | undefined,
): v.CheckAction<Input, undefined> {
  return withTexts<Input, v.CheckAction<Input, undefined>>(
    v.check((value: Input) => findProblem(value) === undefined),
    findProblem,
  );
}

/** Fails with `text` unless `form` matches; the JSON Schema has it as `pattern`. */
export function pattern<Input extends string>(form: RegExp, text: Text): v.RegexAction<Input, undefined> {
  return withTexts<Input, v.RegexAction<Input, undefined>>(v.regex(form), (value) =>
    form.test(value) ? undefined : text,
  );
}

/** Fails unless the value is an email address; the JSON Schema has `format: email`. */
export function emailAddress<Input extends string>(): v.EmailAction<Input, undefined> {
  return withTexts<Input, v.EmailAction<Input, undefined>>(v.email(), (value) =>
    v.EMAIL_REGEX.test(value) ? undefined : NOT_AN_EMAIL,
  );
}

/** The text that a rule of this file put into the issue; undefined for valibot's own rules. */
export function textOfIssue(issue: v.BaseIssue<unknown>): Text | undefined {
  const { requirement } = issue;
  return typeof requirement === "object" && requirement !== null && "en" in requirement
    ? (requirement as Text)
    : undefined;
}
