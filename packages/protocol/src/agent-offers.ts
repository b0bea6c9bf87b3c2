import { z } from "zod";

/** A model that a session's agent can use. */
export const agentModelSchema = z.object({
  /** The word that `PATCH /api/sessions/{sessionId}` takes. */
  model: z.string(),
  /** The name under which the agent says that it uses it (`activeModel`). */
  resolvesTo: z.string().optional(),
  label: z.string(),
  description: z.string().optional(),
});
export type AgentModel = z.infer<typeof agentModelSchema>;
export const agentModelListSchema = z.object({ items: z.array(agentModelSchema) });

/** A command that a message to a session's agent can begin with. */
export const agentCommandSchema = z.object({
  /** Without the slash. */
  name: z.string(),
  description: z.string().optional(),
  /** What comes after the name, such as `<file>`. */
  argumentHint: z.string().optional(),
  /** Other names of it. */
  aliases: z.array(z.string()).optional(),
});
export type AgentCommand = z.infer<typeof agentCommandSchema>;
export const agentCommandListSchema = z.object({ items: z.array(agentCommandSchema) });
