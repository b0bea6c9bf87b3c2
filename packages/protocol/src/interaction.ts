import { z } from "zod";

import { formSchema } from "./form-schema.ts";
import { HOLDS, INTERACTION_STATUSES } from "./interaction-status.ts";
import { notesSchema } from "./note.ts";
import { idSchema, instantSchema, jsonObjectSchema } from "./primitives.ts";
import { respondersSchema } from "./responders.ts";
import { approvalScopeSchema, responderSchema, responseSchema } from "./response.ts";
import { saidSchema } from "./said.ts";

/**
 * How the agent got the response: at the tool call that asked, or as a message. `unknown`: it was handed over, and the agent
 * was lost before it showed that it had it. What it did with the response, if anything, is not known. `overruled`:
 * it got a denial, and has run the call all the same, because it was allowed elsewhere.
 */
export const deliverySchema = z.enum(["resumed", "user_message", "unknown", "overruled"]);
export type Delivery = z.infer<typeof deliverySchema>;

export const interactionKindSchema = z.enum(["approval", "question", "form"]);
export type InteractionKind = z.infer<typeof interactionKindSchema>;

export const interactionStatusSchema = z.enum(INTERACTION_STATUSES);

/** The tool's own words about the call. Untrusted: shown as plain text, set apart. */
const approvalDisplaySchema = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  /** Why the agent runtime asks. */
  reason: z.string().optional(),
  blockedPath: z.string().optional(),
  /** Where the tool comes from, such as the name of an MCP server. */
  server: z.string().optional(),
});
export type ApprovalDisplay = z.infer<typeof approvalDisplaySchema>;

/** A change of one file that an approval would make, whole, as computed by the gateway when it asked. */
const fileChangeSchema = z.object({
  path: z.string(),
  /** Absent: the file does not exist yet. */
  before: z.string().optional(),
  after: z.string(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const approvalSchema = z.object({
  /** The exact input; what runs is this or the person's stored edit. */
  input: jsonObjectSchema,
  cwd: z.string(),
  display: approvalDisplaySchema,
  change: fileChangeSchema.optional(),
  /** SHA-256 over tool, input, directory and session; an `approve` sends it back. */
  digest: z.string(),
  scopes: z.array(approvalScopeSchema).min(1),
  /** For each wider scope offered: what exactly it will cover. */
  scopeText: z.object({ session: z.string().optional(), always: z.string().optional() }),
  /** The `session` and `always` of `scopeText`. */
  said: saidSchema.optional(),
  editable: z.boolean(),
  /** The gateway remembers an approval for longer, so it can be limited in time and number. */
  canLimit: z.literal(true).optional(),
  /** The runtime wants a deliberate yes: no one-key approve. */
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
  /** A chip, at most 12 characters by convention. */
  header: z.string(),
  question: z.string(),
  multiSelect: z.boolean(),
  options: z.array(questionOptionSchema),
});
export type Question = z.infer<typeof questionSchema>;

/** Who else than the agent asks. Its words are shown as they are, and nothing of the answer is told to the agent. */
const askingServerSchema = z.object({
  /** As the agent's runtime knows this MCP server. */
  name: z.string(),
  /** The server's own request: tells two that are alike apart. */
  requestId: z.string(),
});

const formRequestSchema = z.object({
  schema: formSchema,
  /** Titles of fields, by the names of the fields. */
  said: saidSchema.optional(),
  /** An MCP server asks. It tells a person's no (`deny`) from no answer (`cancel`). */
  server: askingServerSchema.optional(),
  /** Instead of filling in fields, the person is to open this page. Nobody else opens it. */
  visit: z.object({ url: z.string() }).optional(),
  /** Fields that are asked first, in this order; the others follow in the order of the schema. */
  order: z.array(z.string()).optional(),
  /** What the fields are filled with instead of their defaults. Never holds a sensitive value. */
  initialValues: jsonObjectSchema.optional(),
});
export type Form = z.infer<typeof formRequestSchema>;

/** One thing asked of a person. The same data live, on replay and in the inbox. */
export const interactionSchema = z.object({
  interactionId: idSchema,
  sessionId: idSchema,
  turnId: idSchema,
  toolCallId: idSchema,
  toolName: z.string(),
  /** The sub-agent that asked, if it was one. */
  agentId: z.string().optional(),
  /** What that sub-agent was started for, in the agent's words. */
  agentTask: z.string().optional(),
  /** A program asks, and is told at this host that it is over. */
  callbackHost: z.string().optional(),
  /** A tool of the gateway asks, from within its own run. Absent: the agent asks, before the tool runs. */
  askedBy: z.literal("tool").optional(),
  kind: interactionKindSchema,
  status: interactionStatusSchema,
  prompt: z.string().optional(),
  previousId: idSchema.optional(),
  /** From 1; a reprompt counts up. */
  attempt: z.int().min(1),
  error: z.string().optional(),
  /** Field → what was wrong with it in the round before. */
  fieldErrors: z.record(z.string(), z.string()).optional(),
  approval: approvalSchema.optional(),
  questions: z.array(questionSchema).optional(),
  form: formRequestSchema.optional(),
  presentation: z.enum(["tool", "questionnaire"]),
  completedView: z
    .object({ showInputs: z.boolean().optional(), summaryTemplate: z.string().optional() })
    .optional(),
  startedAt: instantSchema,
  /** When its agent stops waiting; absent: it has no deadline. */
  deadlineAt: instantSchema.optional(),
  /** Time left by the gateway's clock when this was sent; never stored. */
  remainingMs: z.int().min(0).optional(),
  /** `wait`: after the deadline the agent continues without an answer, and a late one still reaches it. */
  onTimeout: z.enum(["wait", "deny", "handler"]),
  /**
   * `held`: a running agent waits for the response. `parked`: its agent was ended, and the response starts it again at this
   * tool call. `queued`: the agent continued without the response, which will reach it as a message. `kept`: a program
   * asked, and fetches the response when it can.
   */
  hold: z.enum(HOLDS),
  /** How often `hold` has changed; absent: never. */
  holdChanges: z.int().min(1).optional(),
  /** Who may answer; absent: everybody with the role `responder`. */
  responders: respondersSchema.optional(),
  /** Who has said yes so far, where more than one have to. With the response: all of them. */
  votes: z.array(responderSchema).optional(),
  /** How many votes there were, also those that count no more; absent: none. */
  votesGiven: z.int().min(1).optional(),
  /** What was added without answering it: comments, hand-overs, reminders. */
  notes: notesSchema.optional(),
  response: responseSchema.optional(),
  by: responderSchema.optional(),
  /** Answered: the agent gets the response at this instant. Until then a person can take it back. */
  undoUntil: instantSchema.optional(),
  /** How often a person has taken a response back; absent: never. */
  reopenings: z.int().min(1).optional(),
  how: deliverySchema.optional(),
  /** The response was delivered, but its receiver could not handle it. */
  failure: z.string().optional(),
  closedReason: z.string().optional(),
  /** When the wait ended without a response. */
  closedAt: instantSchema.optional(),
});
export type Interaction = z.infer<typeof interactionSchema>;
