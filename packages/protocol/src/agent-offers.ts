import { z } from "zod";

/** A model that the agent of a session can use. */
export const agentModelSchema = z.object({
  /** The value for `PATCH /api/sessions/{sessionId}`. */
  model: z.string(),
  /** The name under which the agent reports this model as `activeModel`. */
  resolvesTo: z.string().optional(),
  label: z.string(),
  description: z.string().optional(),
});
export type AgentModel = z.infer<typeof agentModelSchema>;
export const agentModelListSchema = z.object({ items: z.array(agentModelSchema) });

/** A command that can start a message to the agent of a session. */
export const agentCommandSchema = z.object({
  /** The name without the slash. */
  name: z.string(),
  description: z.string().optional(),
  /** The expected arguments, such as `<file>`. */
  argumentHint: z.string().optional(),
  /** Alternative names. */
  aliases: z.array(z.string()).optional(),
});
export type AgentCommand = z.infer<typeof agentCommandSchema>;
export const agentCommandListSchema = z.object({ items: z.array(agentCommandSchema) });
