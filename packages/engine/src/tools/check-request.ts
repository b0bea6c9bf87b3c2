import type { ApprovalDisplay, FileChange, OptionPreview } from "@holdpoint/protocol";

import type {
  ApprovalRequest,
  FormRequest,
  InteractionRequest,
  OptionInput,
  QuestionInput,
  QuestionRequest,
  Reprompt,
} from "./interaction-request.ts";
import { ToolError } from "./tool-error.ts";

type KeysOf<T> = Record<keyof T, true>;

const COMMON = {
  kind: true,
  prompt: true,
  responders: true,
  timeoutMs: true,
  onTimeoutPolicy: true,
  presentation: true,
  completedView: true,
  whenUnavailable: true,
  onDisconnect: true,
  onResponse: true,
  onTimeout: true,
  onCancel: true,
} as const;
const APPROVAL: KeysOf<ApprovalRequest> = {
  ...COMMON,
  input: true,
  cwd: true,
  approvalScopes: true,
  scopeText: true,
  display: true,
  change: true,
  editable: true,
  defaultToDeny: true,
  grantKey: true,
};
const QUESTION: KeysOf<QuestionRequest> = { ...COMMON, questions: true };
const FORM: KeysOf<FormRequest> = {
  ...COMMON,
  inputSchema: true,
  titles: true,
  order: true,
  initialValues: true,
};
const REPROMPT: KeysOf<Reprompt> = {
  ...APPROVAL,
  ...QUESTION,
  ...FORM,
  error: true,
  fieldErrors: true,
};
const KINDS = new Map<unknown, object>([
  ["approval", APPROVAL],
  ["question", QUESTION],
  ["form", FORM],
]);
const ASKED: KeysOf<QuestionInput> = {
  id: true,
  question: true,
  header: true,
  multiSelect: true,
  options: true,
};
const OPTION: KeysOf<OptionInput> = { id: true, label: true, description: true, preview: true };
const PREVIEW: KeysOf<OptionPreview> = { format: true, content: true };
const DISPLAY: KeysOf<ApprovalDisplay> = {
  title: true,
  description: true,
  reason: true,
  blockedPath: true,
  server: true,
};
const CHANGE: KeysOf<FileChange> = { path: true, before: true, after: true };
const SCOPE_TEXT: KeysOf<NonNullable<ApprovalRequest["scopeText"]>> = {
  session: true,
  always: true,
};
const COMPLETED_VIEW: KeysOf<NonNullable<ApprovalRequest["completedView"]>> = {
  showInputs: true,
  summaryTemplate: true,
};

/**
 * Throws `ToolError` for an unknown property. Handlers may not be checked by a compiler, and a misspelled property
 * would offer more than its author meant.
 */
export function checkRequest(request: InteractionRequest): void {
  if (!isObject(request)) throw invalid("A request must be an object with a `kind`.");
  const known = KINDS.get(request.kind);
  if (known === undefined) throw invalid("`kind` must be approval, question or form.");
  checkWords(request, known, "request");
  checkParts(request);
  checkTemplate(request);
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Throws for a placeholder without a value. The fields of a zod schema are not known here. */
function checkTemplate(request: InteractionRequest): void {
  const template: unknown = request.completedView?.summaryTemplate;
  const known = placeholdersOf(request);
  if (typeof template !== "string" || !known) return;
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
  const stray = names.find((name) => !known.includes(name));
  if (stray === undefined) return;
  const words = known.map((name) => `{{${name}}}`).join(", ");
  throw invalid(
    `\`completedView.summaryTemplate\` has no {{${stray.slice(0, 80)}}}; it can have ${words}.`,
  );
}

function placeholdersOf(request: InteractionRequest): readonly string[] | undefined {
  switch (request.kind) {
    case "approval":
      return ["action", "reason"];
    case "question": {
      const ids = [...listOf(request.questions)].map(([place, asked]) =>
        isObject(asked) && typeof asked["id"] === "string" ? asked["id"] : `q${place + 1}`,
      );
      return ["action", "reason", ...ids];
    }
    case "form": {
      const schema: unknown = request.inputSchema;
      const fields = isObject(schema) && !("_zod" in schema) ? schema["properties"] : undefined;
      return isObject(fields) ? ["action", ...Object.keys(fields)] : undefined;
    }
  }
}

/** Checks the changes of a reprompt, which may be of another kind than the request. */
export function checkReprompt(reprompt: Reprompt): void {
  if (!isObject(reprompt)) throw invalid("`reprompt` is not an object.");
  checkWords(reprompt, REPROMPT, "reprompt");
  checkParts(reprompt);
}

function checkParts(request: Partial<Record<keyof Reprompt, unknown>>): void {
  checkWords(request.display, DISPLAY, "display");
  checkWords(request.change, CHANGE, "change");
  checkWords(request.scopeText, SCOPE_TEXT, "scopeText");
  checkWords(request.completedView, COMPLETED_VIEW, "completedView");
  for (const [place, question] of listOf(request.questions)) {
    const at = `questions[${place}]`;
    checkWords(question, ASKED, at);
    for (const [index, option] of listOf(isObject(question) ? question["options"] : undefined)) {
      checkWords(option, OPTION, `${at}.options[${index}]`);
      if (isObject(option)) {
        checkWords(option["preview"], PREVIEW, `${at}.options[${index}].preview`);
      }
    }
  }
}

/** Throws for the first unknown property. Values that are not objects are refused elsewhere. */
function checkWords(value: unknown, known: object, name: string): void {
  if (!isObject(value)) return;
  const stray = Object.keys(value).find((key) => !Object.hasOwn(known, key));
  if (stray === undefined) return;
  const words = Object.keys(known).join(", ");
  throw invalid(`\`${name}\` has no ${JSON.stringify(stray.slice(0, 80))}; it can have ${words}.`);
}

function listOf(value: unknown): Iterable<[number, unknown]> {
  return Array.isArray(value) ? (value as unknown[]).entries() : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function invalid(problem: string): ToolError {
  return new ToolError("INVALID_REQUEST", problem);
}
