import type { FileChange, Interaction } from "@holdpoint/protocol";

/** A change of a file by a call. `path` is untrusted text. */
type ToolChange = FileChange;

/**
 * The file changes in a tool's input, if its shape is known: the change computed by the gateway when it asked, or else
 * whole-file writes and text replacements. Empty for every other tool.
 */
export function toToolChanges(
  input: Record<string, unknown> | undefined,
  interactions: readonly Interaction[],
): readonly ToolChange[] {
  const asked = interactions.findLast(({ approval }) => approval?.change !== undefined);
  const edited = asked?.response?.editedInput !== undefined;
  if (asked?.approval?.change !== undefined && !edited) return [asked.approval.change];
  if (input === undefined) return [];
  const path = firstText(input, "file_path", "path", "filePath");
  if (path === undefined) return [];
  const single = toReplacement(path, input);
  if (single !== undefined) return [single];
  const edits: unknown = input["edits"];
  if (Array.isArray(edits)) {
    return edits.flatMap((edit: unknown) => toReplacement(path, edit) ?? []);
  }
  const content = firstText(input, "content", "file_text");
  return content === undefined ? [] : [{ path, after: content }];
}

function toReplacement(path: string, edit: unknown): ToolChange | undefined {
  if (typeof edit !== "object" || edit === null) return undefined;
  const before = firstText(edit, "old_string", "old_str", "oldText");
  const after = firstText(edit, "new_string", "new_str", "newText");
  return before === undefined || after === undefined ? undefined : { path, before, after };
}

function firstText(source: object, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.entries(source).find(([name]) => name === key)?.[1] as unknown;
    if (typeof value === "string") return value;
  }
  return undefined;
}
