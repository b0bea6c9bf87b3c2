import type { Question } from "@holdpoint/protocol";

import type { AnswerInWords, FileEdit } from "./step.ts";

export const NOTES_FILE = "release-notes.md";
export const CHECKLIST_FILE = "checklist.md";

const CHECKLIST = `# Before the release

- [ ] Update the changelog
- [ ] Run the tests
- [ ] Tag the version
- [ ] Tell the team
`;

/** The initial files of the demo agent's scratch folder. */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  [NOTES_FILE]: "# Release notes\n\nA draft. No one has chosen a style yet.\n",
  [CHECKLIST_FILE]: CHECKLIST,
};

const HEADLINE_NOTES = `# Answer your agents from anywhere

When an agent needs you, it now waits for you, on every device you own.

- **One inbox** for questions and approvals
- **Nothing runs** before you approve it
`;

const LIST_NOTES = `# Changes

| kind | what |
|---|---|
| Added | one inbox for questions and approvals |
| Added | answers from any device |
| Fixed | a lost connection no longer loses an answer |
`;

const STORY_NOTES = `# The agent that asked first

On Tuesday an agent was about to delete a folder.
It stopped and asked. Someone on a train read the request,
said *no*, and told it why. The folder is still there.
`;

const NOTES_BY_STYLE: Readonly<Record<string, string>> = {
  headline: HEADLINE_NOTES,
  list: LIST_NOTES,
  story: STORY_NOTES,
};

/** One card with a single choice, whose previews show the text that would be written, and a multiple choice. */
export const QUESTIONS: readonly Question[] = [
  {
    id: "style",
    header: "Style",
    question: "How should the release notes be written?",
    multiSelect: false,
    options: [
      {
        id: "headline",
        label: "Headline",
        description: "The one thing that matters, then the rest in short.",
        preview: { format: "markdown", content: HEADLINE_NOTES },
      },
      {
        id: "list",
        label: "Plain list",
        description: "Every change in one line, for people who upgrade.",
        preview: { format: "markdown", content: LIST_NOTES },
      },
      {
        id: "story",
        label: "Short story",
        description: "What the release means on an ordinary Tuesday.",
        preview: { format: "markdown", content: STORY_NOTES },
      },
    ],
  },
  {
    id: "checks",
    header: "Checks",
    question: "Which checks have to pass first? Tick as many as you like.",
    multiSelect: true,
    options: [
      { id: "unit", label: "Unit tests", description: "Seconds." },
      { id: "browser", label: "Browser tests", description: "A real browser, a few minutes." },
      { id: "access", label: "Accessibility", description: "Keyboard, contrast, screen reader." },
      { id: "speed", label: "Speed budget", description: "Nothing got slower." },
    ],
  },
];

/** The chosen notes with their checks. `undefined` if no style was chosen. */
export function writeNotes(answers: readonly AnswerInWords[]): string | undefined {
  const style = answers.find(({ question }) => question.id === "style");
  const body = style?.other ?? NOTES_BY_STYLE[style?.optionIds[0] ?? ""];
  if (body === undefined) return undefined;
  const checks = answers.find(({ question }) => question.id === "checks");
  const names = [...(checks?.labels ?? []), ...(checks?.other === undefined ? [] : [checks.other])];
  if (names.length === 0) return `${body.trimEnd()}\n`;
  const list = names.map((name) => `- [ ] ${name}`).join("\n");
  return `${body.trimEnd()}\n\n## Checked before the release\n\n${list}\n`;
}

/** Ticks the next open item; starts over when all are ticked or the person has rewritten the list. */
export function tickNextItem(checklist: string | undefined): FileEdit {
  const open = checklist?.split("\n").find((line) => line.startsWith("- [ ] "));
  if (checklist === undefined || open === undefined || checklist.split(open).length !== 2) {
    return { toolName: "WriteFile", content: CHECKLIST };
  }
  const done = open.replace("- [ ]", "- [x]");
  return { toolName: "EditFile", find: open, replace: `${done}\n  - ticked by the demo agent` };
}
