import {
  inEnglish,
  saidOf,
  type ApprovalScope,
  type Question,
  type ResponderPolicy,
  responderPolicySchema,
} from "@holdpoint/protocol";

import { defaultGrantKey } from "../grants/grant-key.ts";
import { exactScopeText } from "../grants/scope-text.ts";
import { hashOf } from "../lib/digest.ts";
import { maskSecrets } from "../lib/mask-secrets.ts";
import type { FormRequest as HoldFormRequest, HoldRequest } from "../ports/agent-adapter.ts";
import { formFromFields, type FormParts, isFormFields } from "./form-fields.ts";
import type { FormInput } from "./form-values.ts";
import type {
  ApprovalRequest,
  FormRequest,
  InteractionRequest,
  QuestionInput,
  QuestionRequest,
} from "./interaction-request.ts";
import { ToolError } from "./tool-error.ts";
import { formFromZod, isZodForm } from "./zod-form.ts";

/** The parts of a call that its request needs. */
export interface AskingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly turn: {
    readonly cwd: string;
    /** Values that a person entered for the tool alone. They are masked in all texts that clients see. */
    readonly calls: { readonly secrets: ReadonlySet<string> };
  };
  readonly run: {
    readonly args: Readonly<Record<string, unknown>>;
    /** The tool's own policy. */
    readonly responders?: ResponderPolicy | undefined;
  };
}

export interface Round {
  readonly attempt: number;
  /** The previous round. */
  readonly previousId?: string;
  /** The error in the previous round. */
  readonly error?: string;
  readonly fieldErrors?: Readonly<Record<string, string>>;
}

const SCOPES: ReadonlySet<unknown> = new Set<ApprovalScope>(["once", "session", "always"]);

/** A tool's request in the engine's form. Throws `ToolError` for an invalid request. */
export function toHoldRequest(
  call: AskingCall,
  request: InteractionRequest,
  round: Round,
): HoldRequest {
  const common = { ...toCommon(call, request), ...maskRound(call, round) };
  switch (request.kind) {
    case "approval":
      return { ...common, ...toApproval(call, request) };
    case "question":
      return { ...common, kind: "question", questions: toQuestions(request) };
    case "form":
      return { ...common, kind: "form", form: toForm(request) };
  }
}

function maskRound({ turn }: AskingCall, { error, fieldErrors, ...round }: Round): Round {
  const errors = Object.entries(fieldErrors ?? {}).map(([name, text]) => [
    name,
    masked(turn, text),
  ]);
  return {
    ...round,
    ...(error !== undefined && { error: masked(turn, error) }),
    ...(fieldErrors && { fieldErrors: Object.fromEntries(errors) }),
  };
}

/** A value that is not a text comes from an untyped handler and is refused later. */
function masked({ calls }: AskingCall["turn"], text: string): string {
  return typeof text === "string" ? maskSecrets(text, calls.secrets) : text;
}

function toCommon(call: AskingCall, request: InteractionRequest) {
  const { toolCallId, toolName, turn } = call;
  const { prompt, timeoutMs, presentation, completedView } = request;
  const responders = [call.run.responders, request.responders].filter(isThere);
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw invalid("`timeoutMs` must be positive.");
  return {
    toolCallId,
    toolName,
    ...(prompt !== undefined && { prompt: masked(turn, prompt) }),
    ...(responders.length > 0 && { responders: responders.map(toPolicy) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(presentation !== undefined && { presentation }),
    ...(completedView && { completedView }),
  };
}

function isThere(policy: ResponderPolicy | undefined): policy is ResponderPolicy {
  return policy !== undefined;
}

/** Throws for an invalid policy, which could let other people answer than its author meant. */
function toPolicy(policy: unknown): ResponderPolicy {
  const read = responderPolicySchema.safeParse(policy);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(
    `\`responders\` is not a policy: ${issue?.path.join(".")} ${issue?.message}`.trim(),
  );
}

/**
 * The digest of a request's content, regardless of when, where and how it is shown: equal when a handler repeats a
 * request. Throws `ToolError` for content that JSON cannot represent.
 */
export function requestDigestOf(request: HoldRequest): string {
  try {
    return hashOf(contentOf(request));
  } catch (error: unknown) {
    throw invalid("The request is not JSON.", error);
  }
}

function contentOf(request: HoldRequest): Readonly<Record<string, unknown>> {
  const { kind, prompt = null } = request;
  switch (request.kind) {
    case "approval": {
      const { input, scopes, cwd } = request;
      return { kind, prompt, input, scopes, cwd };
    }
    case "question":
      return { kind, prompt, questions: request.questions };
    case "form":
      return { kind, prompt, schema: request.form.schema };
  }
}

type HoldApproval = Omit<Extract<HoldRequest, { kind: "approval" }>, "toolCallId" | "toolName">;

function toApproval(call: AskingCall, request: ApprovalRequest): HoldApproval {
  const { approvalScopes = ["once", "session"], change, cwd } = request;
  if (approvalScopes.length === 0 || !approvalScopes.every((scope) => SCOPES.has(scope))) {
    throw invalid("`approvalScopes` can contain only once, session and always.");
  }
  const input = toJsonObject(request.input ?? call.run.args);
  return {
    kind: "approval",
    input,
    ...(cwd !== undefined && { cwd }),
    display: request.display ?? {},
    ...(change && { change }),
    scopes: [...new Set(approvalScopes)],
    editable: request.editable ?? false,
    ...(request.defaultToDeny !== undefined && { defaultToDeny: request.defaultToDeny }),
    ...coverageOf(call, request, input),
  };
}

/** The coverage of a lasting approval, and the text for it: exactly this call, unless the tool specifies otherwise. */
function coverageOf(
  call: AskingCall,
  { input: shown, grantKey, scopeText = {}, cwd = call.turn.cwd }: ApprovalRequest,
  input: Record<string, unknown>,
): Pick<HoldApproval, "grantKey" | "scopeText"> {
  if (grantKey === null) return { scopeText };
  if (grantKey !== undefined) return { grantKey, scopeText };
  const { toolName, run } = call;
  const args = shown ? toJsonObject(run.args) : input;
  const exactText = exactScopeText({ toolName, input, cwd });
  return {
    grantKey: exactKeyOf({ toolName, input: args, cwd }, input),
    scopeText: { ...exactText, ...scopeText },
  };
}

/** Covers the input as well: with the arguments alone, a tool could show the person one thing and do another. */
function exactKeyOf(
  call: Parameters<typeof defaultGrantKey>[0],
  input: Record<string, unknown>,
): string {
  return hashOf([defaultGrantKey(call), input]);
}

/** The input as it will be stored and shown. Values that JSON cannot represent are not approved. */
function toJsonObject(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(input)) as Record<string, unknown>;
  } catch (error: unknown) {
    throw invalid("`input` is not JSON.", error);
  }
}

function toQuestions({ questions }: QuestionRequest): Question[] {
  if (!Array.isArray(questions)) throw invalid("There is no question.");
  return questions.map(toQuestion);
}

function toQuestion(question: QuestionInput, index: number): Question {
  const options = question.options.map((option, place) => {
    const { id = `o${place + 1}`, ...rest } =
      typeof option === "string" ? { label: option } : option;
    return { id, ...rest };
  });
  return {
    id: question.id ?? `q${index + 1}`,
    header: question.header ?? "",
    question: question.question,
    multiSelect: question.multiSelect ?? false,
    options,
  };
}

function toForm(request: FormRequest): HoldFormRequest {
  const { inputSchema, titles = {}, order, initialValues } = request;
  try {
    const parts = partsOf(inputSchema);
    const values = { ...parts.initialValues, ...initialValues };
    return {
      schema: withTitles(parts.schema, titles),
      ...saidOf(titles),
      ...(order && { order }),
      ...(Object.keys(values).length > 0 && { initialValues: values }),
    };
  } catch (error: unknown) {
    throw error instanceof TypeError ? invalid(error.message, error) : error;
  }
}

/** The schema with the English text of the gateway's titles. */
function withTitles(
  schema: FormParts["schema"],
  titles: NonNullable<FormRequest["titles"]>,
): FormParts["schema"] {
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return schema;
  const titled = Object.entries(properties).map(([name, field]: [string, object]) => {
    const title = Object.hasOwn(titles, name) ? titles[name] : undefined;
    return [name, title === undefined ? field : { ...field, title: inEnglish(title) }];
  });
  return { ...schema, properties: Object.fromEntries(titled) };
}

function partsOf(inputSchema: FormInput): FormParts {
  if (typeof inputSchema !== "object" || inputSchema === null) {
    throw new TypeError("`inputSchema` is not an object.");
  }
  if (isZodForm(inputSchema)) return { schema: formFromZod(inputSchema) };
  return isFormFields(inputSchema) ? formFromFields(inputSchema) : { schema: inputSchema };
}

function invalid(problem: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_REQUEST", problem, { cause });
}
