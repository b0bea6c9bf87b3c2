import { defineTool, type Tool } from "../tools/define-tool.ts";
import type { ToolContext } from "../tools/tool-context.ts";
import { openScene, type ToolScene } from "./tool-scene.ts";

/** A tool with a handler of the test. */
export function probeTool(
  handler: (context: ToolContext, args: Record<string, unknown>) => unknown,
): Tool {
  return defineTool({
    name: "probe",
    description: "Does what the test says.",
    parameters: { type: "object" },
    handler: (args, context) => handler(context, args),
  });
}

/** A scene in which a call of a tool with this handler has asked its question. */
export async function openProbe(
  handler: (context: ToolContext) => unknown,
  args: Record<string, unknown> = {},
): Promise<{ scene: ToolScene; result: ReturnType<ToolScene["call"]>["result"] }> {
  const scene = await openScene({ tools: [probeTool(handler)] });
  const { result } = scene.call({ name: "probe", args });
  await scene.clock.settle();
  return { scene, result };
}

/** The result value of a call. */
export async function valueOf(result: Promise<{ content: string }>): Promise<unknown> {
  return JSON.parse((await result).content);
}
