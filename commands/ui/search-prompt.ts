/** Asks for one of many with a search. Unlike that of @inquirer/search it is never loading, so that no key is lost. */
import { styleText } from "node:util";
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from "@inquirer/core";

export interface SearchChoice {
  value: string;
  name: string;
}

const CHOICES_SHOWN = 7;

export const searchPrompt = createPrompt<
  string,
  {
    message: string;
    find(term: string): readonly SearchChoice[];
    problemWith(value: string): string | undefined;
    noResults: string;
    keysHelp: string;
  }
>(({ message, find, problemWith, noResults, keysHelp }, done) => {
  const theme = makeTheme();
  const [status, setStatus] = useState("idle");
  const [term, setTerm] = useState("");
  const [active, setActive] = useState(0);
  const [problem, setProblem] = useState<string>();
  const found = find(term);
  const chosen = found[active];
  const search = (text: string) => {
    setTerm(text);
    setProblem(undefined);
    setActive(0);
  };
  useKeypress((key, line) => {
    if (isEnterKey(key)) {
      // Enter has cleared the line.
      if (chosen === undefined) return line.write(term);
      const refusal = problemWith(chosen.value);
      setProblem(refusal);
      if (refusal !== undefined) return line.write(term);
      setStatus("done");
      done(chosen.value);
    } else if (isTabKey(key) && chosen !== undefined) {
      line.clearLine(0);
      line.write(chosen.name);
      search(chosen.name);
    } else if (isUpKey(key) || isDownKey(key)) {
      line.clearLine(0);
      setActive(Math.min(Math.max(active + (isUpKey(key) ? -1 : 1), 0), Math.max(found.length - 1, 0)));
    } else search(line.line);
  });
  const prefix = usePrefix({ status, theme });
  const page = usePagination({
    items: found,
    active,
    renderItem: ({ item, isActive }) =>
      isActive ? theme.style.highlight(`❯ ${item.name}`) : `  ${item.name}`,
    pageSize: CHOICES_SHOWN,
    loop: false,
  });
  const question = `${prefix} ${theme.style.message(message, status)}`;
  if (status === "done") return `${question} ${theme.style.answer(chosen?.name ?? "")}`;
  const wrong = found.length === 0 ? noResults : problem;
  const list = wrong === undefined ? page : theme.style.error(wrong);
  return [`${question} ${styleText("cyan", term)}`.trimEnd(), `${list}\n\n${keysHelp}`];
});
