import type { Bug } from "../bug.ts";

const CARDS = "packages/react/src/cards";
const APPROVAL_TESTS = [
  `${CARDS}/approval/approval-card.test.tsx`,
  `${CARDS}/approval/approval-shown.test.tsx`,
];
const QUESTION_TEST = `${CARDS}/question/question-card.test.tsx`;
const CARD_TEST = `${CARDS}/interaction-card.test.tsx`;
const VIEW = "packages/client/src/view";

/** The content of a page, and its controls. */
export const PAGE_BUGS: readonly Bug[] = [
  {
    what: "a line that one frame alone had in view counts as seen",
    rule: "R-6",
    file: "packages/react/src/parts/seen-lines.ts",
    search: "findLastIndex(({ since }) => now - since >= STAY_MS)",
    replace: "findLastIndex(({ since }) => now >= since)",
    tests: ["packages/react/src/parts"],
  },
  {
    what: "a line counts as seen of which only one side was in view",
    rule: "R-6",
    file: "packages/react/src/parts/seen-columns.ts",
    search: "return isWhole ? view",
    replace: "return isWhole || from >= 0 ? view",
    tests: ["packages/react/src/parts"],
  },
  {
    what: "the choice of a permission mode does nothing",
    rule: "R-6",
    file: "packages/web/src/sessions/mode-select.tsx",
    search: "      await transport.updateSession(sessionId, {\n",
    replace: "      await transport.getSession(sessionId);\n      void ({\n",
    tests: ["packages/web/src/shell"],
  },
  {
    what: "a permission mode that was changed elsewhere is not shown",
    rule: "R-10",
    file: `${VIEW}/fold-log.ts`,
    search: "    ...(permissionMode !== undefined && { permissionMode, limitedMode }),\n",
    replace:
      "    ...(draft.facts.permissionMode === undefined && permissionMode !== undefined && { permissionMode, limitedMode }),\n",
    tests: [VIEW, "packages/client/src/store"],
  },
  {
    what: "an approval does not say in which directory it would run",
    rule: "R-6",
    file: `${CARDS}/approval/approval-facts.tsx`,
    search:
      '        <Fact icon={<FolderOpen aria-hidden />} name={say("Directory")} value={approval.cwd} />\n',
    replace: "        undefined\n",
    tests: APPROVAL_TESTS,
  },
  {
    what: "an approval does not say which path outside it touches",
    rule: "R-6",
    file: `${CARDS}/approval/approval-facts.tsx`,
    search: "      {blockedPath !== undefined && (",
    replace: '      {blockedPath === "" && (',
    tests: APPROVAL_TESTS,
  },
  {
    what: "an option is shown without its description",
    rule: "R-6",
    file: `${CARDS}/question/question-fields.tsx`,
    search: "            <VisibleText text={option.description} />\n",
    replace: '            <VisibleText text="" />\n',
    tests: [QUESTION_TEST],
  },
  {
    what: "a question is shown without its header",
    rule: "R-6",
    file: `${CARDS}/question/question-fields.tsx`,
    search: '          {question.header !== "" && <Chip text={question.header} />}\n',
    replace: "",
    tests: [QUESTION_TEST],
  },
  {
    what: "what is denied at its deadline is said to be allowed then",
    rule: "R-5",
    file: `${CARDS}/shared/card-words.ts`,
    search: '      return "After that, it is denied.";',
    replace: '      return "After that it is allowed.";',
    tests: [CARD_TEST],
  },
  {
    what: "an approval from now on reads as one for once",
    rule: "R-6",
    file: `${CARDS}/shared/answer-words.ts`,
    search: 'edited ? "Allowed from now on, with edits" : "Allowed from now on";',
    replace: 'edited ? "Allowed once, with edits" : "Allowed once";',
    tests: [...APPROVAL_TESTS, CARD_TEST],
  },
  {
    what: "what can be answered late is left out of the overview",
    rule: "R-10",
    file: `${VIEW}/overview.ts`,
    search:
      "    waiting: [...pending.items, ...late.items].filter(isAnswerable).toSorted(byAge),\n",
    replace: "    waiting: pending.items.filter(isAnswerable).toSorted(byAge),\n",
    tests: [VIEW, "packages/client/src/store"],
  },
  {
    what: "a tool's own summary is left out for approvals and questions",
    rule: "R-6",
    file: `${CARDS}/completed/completed-summary.tsx`,
    search: "  const text = fillTemplate(template, words);",
    replace: "  const text = words.size === 0 ? fillTemplate(template, words) : undefined;",
    tests: [CARD_TEST],
  },
  {
    what: "the card calls unsent what may have arrived",
    rule: "R-2",
    file: "packages/react/src/cards/shared/card-state.ts",
    search: "  return mayHaveIt ? {",
    replace: "  return mayHaveIt && false ? {",
    tests: ["packages/react/src/cards/shared/card-state.test.ts"],
  },
];
