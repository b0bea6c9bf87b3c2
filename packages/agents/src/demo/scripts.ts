import { PROMPTS, recognisePrompt } from "./prompts.ts";
import { SAMPLE_FORM, SECRET_FIELDS, SHORT_FORM } from "./sample-form.ts";
import {
  CHECKLIST_FILE,
  NOTES_FILE,
  QUESTIONS,
  tickNextItem,
  writeNotes,
} from "./sample-project.ts";
import type { ActStep, AskResult, AskStep, EditResult, EditStep, Step } from "./step.ts";
import { quote, sayAnswers, sayEdit, sayForm, sayGatewayTool } from "./words.ts";

/** The demo agent's steps for a message. */
export function chooseScript(content: string): readonly Step[] {
  if (isLateResponse(content)) return thankForLateResponse(content);
  switch (recognisePrompt(content)) {
    case "tour":
      return tour();
    case "questions":
      return [
        say("Two questions on one card. The previews show what each choice would write."),
        askQuestions((result) => [say(sayAnswers(result))]),
      ];
    case "edit":
      return [
        say(
          `I would like to tick the next item in \`${CHECKLIST_FILE}\`, a real file in my own scratch folder. ` +
            "You see the change before it is made, and you can edit it or say no.",
        ),
        tickItem((result) => [say(sayEdit(result, CHECKLIST_FILE))]),
      ];
    case "threeThings":
      return threeThings();
    case "threeEdits":
      return [say("Three files, three approvals, in any order."), threeEdits()];
    case "form":
      return [
        say(
          "A form with every kind of control. Fill in as much as you like; three fields are required.",
        ),
        {
          kind: "form",
          prompt: "Plan the release party",
          form: SAMPLE_FORM,
          next: (result) => [say(sayForm(result, SECRET_FIELDS))],
        },
      ];
    case "gatewayTool":
      return callGatewayTool();
    case "failure":
      return [
        say("I fail now, on purpose. The turn ends with an error; the session stays usable."),
        { kind: "fail", message: "The demo agent failed because it was asked to." },
      ];
    case undefined:
      return [say(HELP)];
  }
}

const HELP = `I am a **scripted demo agent**. There is no model behind me, so I understand only these sentences:

- **${PROMPTS.tour}**: questions, two edits, a form and a gateway tool, in about a minute
- **${PROMPTS.questions}**: a choice with previews, and one with several ticks
- **${PROMPTS.edit}**: you see the change before it is made
- **${PROMPTS.threeThings}**: parallel requests, answered in any order
- **${PROMPTS.threeEdits}**: the same with approvals only
- **${PROMPTS.form}**: text, numbers, dates, choices and a secret on one card
- **${PROMPTS.gatewayTool}**: a question that the gateway asks for an agent
- **${PROMPTS.failure}**: a turn that fails in a session that does not

While I wait you can stop me, reload the page, or answer from another device.`;

const WELCOME = `Welcome. I am a **scripted demo agent**: there is no model behind me, but I really stop, and the files that I edit are real. Five stops:

1. two questions on one card
2. an approval, with the change shown before it is made
3. a second edit, to see how far your approval reaches
4. a form
5. a tool of the gateway, which asks on its own`;

const GOODBYE = `That was everything on this tour. **${PROMPTS.form}** shows every control that a form can have. Now try to break it:

- reload the page while I wait
- open it twice and answer in one of them
- send **${PROMPTS.threeThings}**`;

function tour(): readonly Step[] {
  return [
    say(WELCOME),
    askQuestions((result) => [
      say(sayAnswers(result)),
      ...writeChosenNotes(result),
      say("One more edit, in another file."),
      tickItem((edited) => [say(sayEdit(edited, CHECKLIST_FILE))]),
      say("Now a short form."),
      {
        kind: "form",
        prompt: "Announce the release",
        form: SHORT_FORM,
        next: (filled) => [say(sayForm(filled, []))],
      },
      ...callGatewayTool(),
      say(GOODBYE),
    ]),
  ];
}

function callGatewayTool(): readonly Step[] {
  return [
    say(
      "I call `ask_user`, a tool that the gateway runs. It asks on its own; I only get its result, as any agent over MCP does.",
    ),
    {
      kind: "gateway_tool",
      toolName: "ask_user",
      input: {
        question: "Which release should I name in the notes?",
        choices: ["1.0", "1.1", "2.0"],
      },
      next: (result) => [say(sayGatewayTool(result))],
    },
  ];
}

/** Writes nothing if no style was chosen. */
function writeChosenNotes(result: AskResult): readonly Step[] {
  const notes = result.outcome === "answered" ? writeNotes(result.answers) : undefined;
  if (notes === undefined) return [];
  return [
    say(
      `I would like to write that into \`${NOTES_FILE}\`. Nothing is written before you allow it. ` +
        "Read the change, edit it if you like, or say no and why.",
    ),
    writeFile(NOTES_FILE, () => notes, {
      title: `Write ${NOTES_FILE}`,
      description: "Replaces the draft with the style and the checks that you chose.",
      next: (edited) => [say(sayEdit(edited, NOTES_FILE))],
    }),
  ];
}

function threeThings(): readonly Step[] {
  return [
    say("One question card and two approvals, all at once. Answer them in any order."),
    {
      kind: "together",
      steps: [
        askQuestions((result) => [say(sayAnswers(result))]),
        tickItem((result) => [say(sayEdit(result, CHECKLIST_FILE))]),
        countVisit("visits.md", "visits"),
      ],
    },
    say("All three are settled, each with its own answer."),
  ];
}

function threeEdits(): Step {
  return {
    kind: "together",
    steps: [
      countVisit("morning.md", "mornings"),
      countVisit("noon.md", "noons"),
      countVisit("night.md", "nights"),
    ],
  };
}

function countVisit(file: string, what: string): ActStep {
  const count = (before: string | undefined): string => {
    const counted = Number(/^(\d+) so far/m.exec(before ?? "")?.[1] ?? 0);
    return `# Count of ${what}\n\n${counted + 1} so far\n`;
  };
  return writeFile(file, count, {
    title: `Write ${file}`,
    description: `Counts the ${what}.`,
    next: (result) => [say(sayEdit(result, file))],
  });
}

function tickItem(next: (result: EditResult) => readonly Step[]): EditStep {
  return {
    kind: "edit",
    file: CHECKLIST_FILE,
    title: `Edit ${CHECKLIST_FILE}`,
    description: "Ticks the next item of the checklist.",
    change: tickNextItem,
    next,
  };
}

function writeFile(
  file: string,
  content: (before: string | undefined) => string,
  more: Pick<EditStep, "title" | "description" | "next">,
): EditStep {
  const change: EditStep["change"] = (before) => ({
    toolName: "WriteFile",
    content: content(before),
  });
  return { kind: "edit", file, change, ...more };
}

function askQuestions(next: (result: AskResult) => readonly Step[]): AskStep {
  return { kind: "ask", prompt: "Before I write the release notes", questions: QUESTIONS, next };
}

function say(text: string): Step {
  return { kind: "say", text };
}

/** Recognises the message by its words, as any agent must. */
function isLateResponse(content: string): boolean {
  return content.startsWith("A person has now responded to ");
}

const TELLING_LINE = /^(?:Question|Answer|Reply to all of it|Decision|Reason|The person)\b.*$/gm;

function thankForLateResponse(content: string): readonly Step[] {
  const heard = (content.match(TELLING_LINE) ?? []).join("\n");
  const thanks = `Your answer reached me, although it is late${heard === "" ? "." : `:\n\n${quote(heard)}`}`;
  const isApproval = /^Decision: approved/m.test(content);
  return [
    say(
      isApproval
        ? `${thanks}\n\nI had continued without it, and nothing has run because of it. Send **${PROMPTS.edit}** and I ask again.`
        : `${thanks}\n\nI had continued without it. Send **${PROMPTS.questions}** to see the card again.`,
    ),
  ];
}
