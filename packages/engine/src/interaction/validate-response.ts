import type {
  Answer,
  Approval,
  ApprovalScope,
  Interaction,
  InteractionResponse,
  Question,
  RespondBody,
} from "@holdpoint/protocol";

import { formErrors } from "./form/form-errors.ts";
import { splitSecrets } from "./form/split-secrets.ts";

/** A valid response in its normalized form, to be stored. */
export interface ValidResponse {
  readonly status: "valid";
  readonly response: InteractionResponse;
  /** The values of sensitive fields, which are not shown. */
  readonly secretValues?: Readonly<Record<string, unknown>>;
}

export type ResponseValidation =
  | ValidResponse
  | { readonly status: "invalid"; readonly fieldErrors: Record<string, string> }
  /** The person approved something other than the call that would run. */
  | { readonly status: "digest_mismatch" };

type Field = Exclude<keyof RespondBody, "action" | "idempotencyKey" | "undoMs">;
type FieldErrors = Record<string, string>;

/**
 * Checks a response against its request: only offered choices are valid. A `cancel` of an approval is stored as
 * a denial, so that nothing later can take it for consent. A `cancel` of a question or form means "skipped".
 */
export function validateResponse(
  body: RespondBody,
  interaction: Pick<Interaction, "kind" | "approval" | "questions" | "form">,
): ResponseValidation {
  switch (interaction.kind) {
    case "approval":
      return validateApproval(body, interaction.approval);
    case "question":
      return validateQuestions(body, interaction.questions ?? []);
    case "form":
      return validateForm(body, interaction.form);
  }
}

function validateApproval(
  body: RespondBody,
  approval: Interaction["approval"],
): ResponseValidation {
  switch (body.action) {
    case "approve":
      return validateApprove(body, approval);
    case "deny":
    case "cancel":
      return withFields(body, ["digest", "reason", "stopTurn"], () => ({
        action: "deny",
        ...ending(body),
      }));
    case "submit":
      return invalid({ action: "This request can only be approved or denied." });
  }
}

function validateApprove(body: RespondBody, approval: Interaction["approval"]): ResponseValidation {
  if (!approval) return invalid({ action: "There is nothing to approve." });
  const scope = body.approvalScope ?? "once";
  const errors = errorsOfApprove(body, scope, approval);
  if (Object.keys(errors).length > 0) return invalid(errors);
  if (body.digest !== approval.digest) return { status: "digest_mismatch" };
  return valid({
    action: "approve",
    // An edit is for this one call, because the person did not see its wider coverage.
    approvalScope: body.editedInput ? "once" : scope,
    ...(body.editedInput && { editedInput: body.editedInput }),
    ...(body.grantLimit && { grantLimit: body.grantLimit }),
  });
}

function errorsOfApprove(body: RespondBody, scope: ApprovalScope, approval: Approval): FieldErrors {
  const errors: FieldErrors = {
    ...extras(body, ["digest", "approvalScope", "editedInput", "grantLimit"]),
  };
  if (body.digest === undefined) errors["digest"] = "The digest of the approved input is missing.";
  if (!approval.scopes.includes(scope)) errors["approvalScope"] = "This scope was not offered.";
  if (body.editedInput && !approval.editable) {
    errors["editedInput"] = "This input cannot be edited.";
  }
  if (body.grantLimit && (scope === "once" || !approval.canLimit || body.editedInput)) {
    errors["grantLimit"] = "This approval cannot be limited.";
  }
  return errors;
}

function validateQuestions(body: RespondBody, questions: readonly Question[]): ResponseValidation {
  switch (body.action) {
    case "submit":
      if (body.reply !== undefined) return validateReply(body, body.reply);
      return validateAnswers(body, questions);
    case "cancel":
      return validateCancel(body);
    case "approve":
    case "deny":
      return invalid({ action: "This request can only be answered or cancelled." });
  }
}

function validateCancel(body: RespondBody): ResponseValidation {
  return withFields(body, ["reason", "stopTurn"], () => ({ action: "cancel", ...ending(body) }));
}

function validateReply(body: RespondBody, reply: string): ResponseValidation {
  if (reply.trim() === "") return invalid({ reply: "Write something." });
  return withFields(body, ["reply"], () => ({ action: "submit", reply }));
}

function validateAnswers(body: RespondBody, questions: readonly Question[]): ResponseValidation {
  const errors: FieldErrors = { ...extras(body, ["answers"]) };
  const given = new Map<string, Answer>();
  const known = new Set(questions.map((question) => question.id));
  for (const answer of body.answers ?? []) {
    const field = `answers.${answer.questionId}`;
    if (!known.has(answer.questionId)) errors[field] = "This was not asked.";
    else if (given.has(answer.questionId)) errors[field] = "This was answered twice.";
    given.set(answer.questionId, answer);
  }
  const answers = questions.map((question) => normalizeAnswer(question, given.get(question.id)));
  for (const [index, question] of questions.entries()) {
    const answer = answers[index];
    const error = answer && errorOf(question, answer);
    if (error !== undefined) errors[`answers.${question.id}`] ??= error;
  }
  if (Object.keys(errors).length > 0) return invalid(errors);
  return valid({ action: "submit", answers });
}

/** Blank text in "Other" counts as no text. */
function normalizeAnswer(question: Question, answer: Answer | undefined): Answer {
  const selected = answer?.selected ?? [];
  const other = answer?.other;
  const hasOther = other !== undefined && other.trim() !== "";
  return { questionId: question.id, selected, ...(hasOther && { other }) };
}

function errorOf(question: Question, answer: Answer): string | undefined {
  const offered = new Set(question.options.map((option) => option.id));
  const chosen = new Set(answer.selected);
  const count = chosen.size + (answer.other === undefined ? 0 : 1);
  if (answer.selected.some((id) => !offered.has(id))) return "This option was not offered.";
  if (chosen.size < answer.selected.length) return "An option was chosen twice.";
  if (count === 0) return "Choose an option or write an answer.";
  if (!question.multiSelect && count > 1) return "Choose one.";
  return undefined;
}

function validateForm(body: RespondBody, form: Interaction["form"]): ResponseValidation {
  switch (body.action) {
    case "submit":
      return validateValues(body, form);
    case "cancel":
      return validateCancel(body);
    case "deny":
      if (form?.server) return withFields(body, ["stopTurn"], () => toDenied(body));
      return invalid({ action: "This request takes a form or a cancellation." });
    case "approve":
      return invalid({ action: "This request takes a form or a cancellation." });
  }
}

/** A denial of an MCP server's form is between the person and the server, so it carries no reason. */
function toDenied({ stopTurn }: RespondBody): InteractionResponse {
  return { action: "deny", ...(stopTurn && { stopTurn }) };
}

function validateValues(body: RespondBody, form: Interaction["form"]): ResponseValidation {
  if (!form) return invalid({ action: "There is nothing to fill in." });
  const { values = {} } = body;
  const fieldErrors = { ...extras(body, ["values"]), ...formErrors(form.schema, values) };
  if (Object.keys(fieldErrors).length > 0) return invalid(fieldErrors);
  const { shown, secretValues } = splitSecrets(form.schema, values);
  const redacted = Object.keys(secretValues);
  if (redacted.length === 0) return valid({ action: "submit", values: shown });
  const response: InteractionResponse = { action: "submit", values: shown, redacted };
  return { status: "valid", response, secretValues };
}

function withFields(
  body: RespondBody,
  allowed: readonly Field[],
  toResponse: () => InteractionResponse,
): ResponseValidation {
  const errors = extras(body, allowed);
  return Object.keys(errors).length > 0 ? invalid(errors) : valid(toResponse());
}

function extras(body: RespondBody, allowed: readonly Field[]): FieldErrors {
  const fine = new Set<string>([...allowed, "action", "idempotencyKey", "undoMs"]);
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  const extra = given.filter(([key]) => !fine.has(key));
  return Object.fromEntries(
    extra.map(([key]) => [key, `Not allowed with the action ${body.action}.`]),
  );
}

function ending(body: RespondBody): Pick<InteractionResponse, "reason" | "stopTurn"> {
  const reason = body.reason?.trim();
  return { ...(reason && { reason }), ...(body.stopTurn && { stopTurn: true }) };
}

function valid(response: InteractionResponse): ResponseValidation {
  return { status: "valid", response };
}

function invalid(fieldErrors: FieldErrors): ResponseValidation {
  return { status: "invalid", fieldErrors };
}
