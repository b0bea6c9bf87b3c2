import { z } from "zod";

import { formSchema } from "./form-schema.ts";
import { HOLDS, INTERACTION_STATUSES } from "./interaction-status.ts";
import { notesSchema } from "./note.ts";
import { idSchema, instantSchema, jsonObjectSchema } from "./primitives.ts";
import { respondersSchema } from "./responders.ts";
import { approvalScopeSchema, responderSchema, responseSchema } from "./response.ts";
import { saidSchema } from "./saying-schema.ts";

/**
 * How the agent got the response. `resumed`: at the tool call that asked. `user_message`: as a message. `unknown`: the
 * agent was lost before it confirmed the response, so it is unknown what the agent did with it. `overruled`: the agent
 * got a denial, but ran the call anyway, because it was allowed elsewhere.
 */
export const deliverySchema = z.enum(["resumed", "user_message", "unknown", "overruled"]);
export type Delivery = z.infer<typeof deliverySchema>;

export const interactionKindSchema = z.enum(["approval", "question", "form"]);
export type InteractionKind = z.infer<typeof interactionKindSchema>;

export const interactionStatusSchema = z.enum(INTERACTION_STATUSES);

/** The tool's description of the call. Untrusted: show it separately, as plain text. */
const approvalDisplaySchema = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  /** Why the agent runtime asks. */
  reason: z.string().optional(),
  blockedPath: z.string().optional(),
  /** The source of the tool, such as the name of an MCP server. */
  server: z.string().optional(),
});
export type ApprovalDisplay = z.infer<typeof approvalDisplaySchema>;

/** The full change of one file that an approval would make, as computed by the gateway at the time of the request. */
const fileChangeSchema = z.object({
  path: z.string(),
  /** Absent: the file does not exist yet. */
  before: z.string().optional(),
  after: z.string(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const approvalSchema = z.object({
  /** The exact input. Either this runs, or the person's stored edit. */
  input: jsonObjectSchema,
  cwd: z.string(),
  display: approvalDisplaySchema,
  change: fileChangeSchema.optional(),
  /** The SHA-256 hash over tool, input, directory and session. An `approve` must contain it. */
  digest: z.string(),
  scopes: z.array(approvalScopeSchema).min(1),
  /** A precise description of the coverage of each wider scope on offer. */
  scopeText: z.object({ session: z.string().optional(), always: z.string().optional() }),
  /** The sayings of `scopeText.session` and `scopeText.always`. */
  said: saidSchema.optional(),
  editable: z.boolean(),
  /** Set if the gateway remembers longer approvals, so that they can be limited in time and number. */
  canLimit: z.literal(true).optional(),
  /** The runtime wants a deliberate approval: do not offer it with a single key. */
  defaultToDeny: z.boolean().optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

const previewSchema = z.object({ format: z.enum(["markdown", "html"]), content: z.string() });
export type OptionPreview = z.infer<typeof previewSchema>;

const questionOptionSchema = z.object({
  id: idSchema,
  label: z.string(),
  description: z.string().optional(),
  preview: previewSchema.optional(),
});
export type QuestionOption = z.infer<typeof questionOptionSchema>;

export const questionSchema = z.object({
  id: idSchema,
  /** A short label, at most 12 characters by convention. */
  header: z.string(),
  question: z.string(),
  multiSelect: z.boolean(),
  options: z.array(questionOptionSchema),
});
export type Question = z.infer<typeof questionSchema>;

/** An MCP server that asks through the agent. Its words are shown unchanged, and the agent does not see the answer. */
const askingServerSchema = z.object({
  /** The name of the MCP server in the agent's runtime. */
  name: z.string(),
  /** The id of the server's request, which distinguishes identical requests. */
  requestId: z.string(),
});

const formRequestSchema = z.object({
  schema: formSchema,
  /** The sayings of the fields' titles, by field name. */
  said: saidSchema.optional(),
  /** Set if an MCP server asks. It distinguishes a refusal (`deny`) from no answer (`cancel`). */
  server: askingServerSchema.optional(),
  /** A page for the person to open, instead of fields to fill in. No one else opens it. */
  visit: z.object({ url: z.string() }).optional(),
  /** The fields to ask first, in this order. The others follow in the order of the schema. */
  order: z.array(z.string()).optional(),
  /** Initial values of fields, instead of their defaults. Never contains a sensitive value. */
  initialValues: jsonObjectSchema.optional(),
});
export type Form = z.infer<typeof formRequestSchema>;

/** A request to a person. The same data is used live, on replay and in the inbox. */
export const interactionSchema = z.object({
  interactionId: idSchema,
  sessionId: idSchema,
  turnId: idSchema,
  toolCallId: idSchema,
  toolName: z.string(),
  /** The sub-agent that asked, if any. For a program's ask: the name of its token, and its label. */
  agentId: z.string().optional(),
  /** The task of that sub-agent, in the agent's words. */
  agentTask: z.string().optional(),
  /** The host of the callback, if a program asks and has one. */
  callbackHost: z.string().optional(),
  /** `tool`: a tool of the gateway asks while it runs. Absent: the agent asks before the tool runs. */
  askedBy: z.literal("tool").optional(),
  kind: interactionKindSchema,
  status: interactionStatusSchema,
  prompt: z.string().optional(),
  previousId: idSchema.optional(),
  /** Starts at 1. Each reprompt increments it. */
  attempt: z.int().min(1),
  error: z.string().optional(),
  /** The errors of the previous attempt, by field. */
  fieldErrors: z.record(z.string(), z.string()).optional(),
  approval: approvalSchema.optional(),
  questions: z.array(questionSchema).optional(),
  form: formRequestSchema.optional(),
  presentation: z.enum(["tool", "questionnaire"]),
  completedView: z
    .object({ showInputs: z.boolean().optional(), summaryTemplate: z.string().optional() })
    .optional(),
  startedAt: instantSchema,
  /** When its agent stops waiting. Absent: there is no deadline. */
  deadlineAt: instantSchema.optional(),
  /** The time left when this was sent, by the gateway's clock. Never stored. */
  remainingMs: z.int().min(0).optional(),
  /** `wait`: after the deadline the agent continues without an answer, and a late one still reaches it. */
  onTimeout: z.enum(["wait", "deny", "handler"]),
  /**
   * `held`: a running agent waits for the response. `parked`: the agent was ended, and the response starts it again at
   * this tool call. `queued`: the agent continued without the response, which will reach it as a message. `kept`: a
   * program asked, and fetches the response when it can.
   */
  hold: z.enum(HOLDS),
  /** How often `hold` has changed. Absent: never. */
  holdChanges: z.int().min(1).optional(),
  /** Who may answer. Absent: everyone with the role `responder`. */
  responders: respondersSchema.optional(),
  /** The people who have approved so far, if several are required. Complete once there is a response. */
  votes: z.array(responderSchema).optional(),
  /** The number of votes so far, including dropped ones. Absent: none. */
  votesGiven: z.int().min(1).optional(),
  /** Additions that are not answers: comments, reassignments and reminders. */
  notes: notesSchema.optional(),
  response: responseSchema.optional(),
  by: responderSchema.optional(),
  /** When the agent gets the response. A person can take it back before that time. */
  undoUntil: instantSchema.optional(),
  /** How often a person has taken a response back. Absent: never. */
  reopenings: z.int().min(1).optional(),
  how: deliverySchema.optional(),
  /** Why the receiver could not handle the delivered response. */
  failure: z.string().optional(),
  closedReason: z.string().optional(),
  /** When the wait ended without a response. */
  closedAt: instantSchema.optional(),
});
export type Interaction = z.infer<typeof interactionSchema>;
