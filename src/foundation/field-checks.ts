/** Checks of fields with a message in both languages. Valibot's messages are strings; the text is found again by the issue. */
import * as v from "valibot";
import { NOT_AN_EMAIL } from "./messages.ts";
import type { Text } from "./text.ts";

const texts = new WeakMap<object, Text>();

/** A message of valibot, of which `textOfIssue` returns the text. */
function saying<Issue extends v.BaseIssue<unknown>>(textFor: (issue: Issue) => Text) {
  return (issue: Issue): string => {
    const text = textFor(issue);
    texts.set(issue, text);
    return text.en;
  };
}

/** Adds an issue with `text`, for the value itself or, with a path, for one inside it. */
export function addProblem(
  dataset: { value: unknown; issues?: v.BaseIssue<unknown>[] | undefined },
  text: Text,
  path?: [v.IssuePathItem, ...v.IssuePathItem[]],
): void {
  dataset.issues ??= [];
  const issue: v.BaseIssue<unknown> = {
    kind: "validation",
    type: "must",
    input: dataset.value,
    expected: null,
    received: "",
    message: text.en,
    ...(path === undefined ? {} : { path }),
  };
  texts.set(issue, text);
  dataset.issues.push(issue);
}

/** Fails with `text` unless `test` holds. Like `v.check`, it does not appear in the JSON Schema. */
export function must<Input>(test: (value: Input) => boolean, text: Text) {
  return v.check(
    test,
    saying<v.CheckIssue<Input>>(() => text),
  );
}

/** Fails with the text that `findProblem` returns. */
export function mustWith<Input>(findProblem: (value: Input) => Text | undefined) {
  return v.check(
    (value: Input) => findProblem(value) === undefined,
    saying<v.CheckIssue<Input>>(({ input }) => findProblem(input)!),
  );
}

/** Fails with `text` unless `form` matches; the JSON Schema has it as `pattern`. */
export function pattern<Input extends string>(form: RegExp, text: Text) {
  return v.regex<Input, v.ErrorMessage<v.RegexIssue<Input>>>(
    form,
    saying(() => text),
  );
}

/** Fails unless the value is an email address; the JSON Schema has `format: email`. */
export function emailAddress<Input extends string>() {
  return v.email<Input, v.ErrorMessage<v.EmailIssue<Input>>>(saying(() => NOT_AN_EMAIL));
}

/** The text of a check of this file; undefined for valibot's own. */
export function textOfIssue(issue: v.BaseIssue<unknown>): Text | undefined {
  return texts.get(issue);
}
