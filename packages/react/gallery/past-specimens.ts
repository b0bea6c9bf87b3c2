import {
  anApprovalInteraction,
  aQuestionInteraction,
  FORMAT_QUESTION,
  SCOPE_QUESTION,
} from "../src/testing/interactions.ts";
import { EDIT } from "./approval-specimens.ts";
import { answered, id, type Specimen } from "./specimen.ts";

export const PAST: readonly Specimen[] = [
  {
    name: "Done · question, here, on its way",
    interaction: aQuestionInteraction(
      [FORMAT_QUESTION],
      answered(
        { action: "submit", answers: [{ questionId: "q-format", selected: ["iso"] }] },
        true,
      ),
    ),
  },
  {
    name: "Done · questions, elsewhere",
    interaction: aQuestionInteraction(
      [FORMAT_QUESTION, SCOPE_QUESTION],
      answered(
        {
          action: "submit",
          answers: [
            { questionId: "q-format", selected: [], other: "Both, side by side" },
            {
              questionId: "q-scope",
              selected: ["invoices", "reports"],
              other: "the letters to the bank",
            },
          ],
        },
        false,
        "resumed",
      ),
    ),
  },
  {
    name: "Done · skipped",
    interaction: aQuestionInteraction(
      [FORMAT_QUESTION],
      answered({ action: "cancel" }, true, "resumed"),
    ),
  },
  {
    name: "Done · allowed for the session, here",
    interaction: anApprovalInteraction(
      {
        ...EDIT,
        scopes: ["once", "session"],
        scopeText: { session: "Edits inside src/invoice/ until this session ends." },
      },
      {
        toolName: "Edit",
        ...answered({ action: "approve", approvalScope: "session" }, true, "resumed"),
      },
    ),
  },
  {
    name: "Done · allowed with edits, elsewhere, late",
    interaction: anApprovalInteraction(
      { input: { command: "rm -rf build dist" } },
      answered(
        { action: "approve", approvalScope: "once", editedInput: { command: "rm -rf build" } },
        false,
        "user_message",
      ),
    ),
  },
  {
    name: "Done · denied with a reason",
    interaction: anApprovalInteraction(
      {},
      answered({ action: "deny", reason: "Use the staging database instead." }, false, "resumed"),
    ),
  },
  {
    name: "Done · allowed, and the tool failed",
    interaction: anApprovalInteraction(
      { input: { command: "npm run deploy" } },
      {
        ...answered({ action: "approve", approvalScope: "once" }, true, "resumed"),
        failure: "The tool failed while it handled this response.",
      },
    ),
  },
  {
    name: "Done · parked, the agent starts again",
    interaction: aQuestionInteraction([FORMAT_QUESTION], {
      ...answered(
        { action: "submit", answers: [{ questionId: "q-format", selected: ["iso"] }] },
        true,
      ),
      hold: "parked",
    }),
  },
  {
    name: "Done · not known whether the agent has it",
    interaction: anApprovalInteraction(
      { input: { command: "npm run deploy" } },
      answered({ action: "approve", approvalScope: "once" }, true, "unknown"),
    ),
  },
  {
    name: "Done · not known, the agent was asked to check",
    interaction: anApprovalInteraction(
      { input: { command: "npm run deploy" } },
      answered({ action: "approve", approvalScope: "once" }, false, "unknown"),
    ),
    press: "Ask the agent to check",
  },
  {
    name: "Expired",
    interaction: anApprovalInteraction({}, { ...id(), status: "expired", onTimeout: "deny" }),
  },
  {
    name: "Withdrawn",
    interaction: aQuestionInteraction([FORMAT_QUESTION], {
      ...id(),
      status: "withdrawn",
      closedReason: "The turn was stopped",
    }),
  },
  {
    name: "Done · question, answered in words",
    interaction: aQuestionInteraction(
      [FORMAT_QUESTION],
      answered({ action: "submit", reply: "As the customer likes" }, true, "resumed"),
    ),
  },
  {
    name: "Done · question, without its answers",
    interaction: aQuestionInteraction([FORMAT_QUESTION], {
      ...answered(
        { action: "submit", answers: [{ questionId: "q-format", selected: ["iso"] }] },
        true,
        "resumed",
      ),
      completedView: { showInputs: false },
    }),
  },
  {
    name: "Done · allowed, with the tool's summary",
    interaction: anApprovalInteraction(
      { input: { command: "npm run deploy" } },
      {
        ...answered({ action: "approve", approvalScope: "once" }, true, "resumed"),
        completedView: { summaryTemplate: "Deployed to production" },
      },
    ),
  },
  {
    name: "Of a kind that this page does not know",
    interaction: {
      ...aQuestionInteraction([], { interactionId: "specimen-unknown" }),
      kind: "poll" as "question",
    },
  },
  {
    name: "Orphaned, not answerable",
    interaction: anApprovalInteraction({}, { ...id(), status: "orphaned", onTimeout: "deny" }),
  },
];
