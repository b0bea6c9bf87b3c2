import { realpath, rm, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";

import { defineTool } from "holdpoint";
import { z } from "zod";

export default defineTool({
  name: "delete_files",
  description: "Deletes files of one folder, after a person has approved it.",
  parameters: z.object({
    folder: z.string().default(".").describe("Relative to the working directory."),
    names: z
      .array(z.string().regex(/^(?!\.{1,2}$)[^/\\]+$/, "A name without a folder."))
      .min(1)
      .max(100),
  }),
  async handler({ folder, names }, context) {
    const path = await folderInside(context.cwd, folder);
    const files = names.map((name) => resolve(path, name));
    for (const file of files) await assertFile(file);

    // An approval for longer covers this folder and no other.
    const key = JSON.stringify(["delete", path]);
    const approved =
      (await context.approvals.get(key)) !== undefined ||
      (await context.requestInteraction({
        kind: "approval",
        prompt: names.length === 1 ? "Delete a file?" : `Delete ${names.length} files?`,
        input: { files },
        approvalScopes: ["once", "session", "always"],
        scopeText: {
          session: `Deleting any file in ${path}, in this session.`,
          always: `Deleting any file in ${path}, in every session.`,
        },
        defaultToDeny: true,
        async onResponse({ action, approvalScope }) {
          if (action !== "approve") return { complete: false };
          await context.approvals.set(key, approvalScope);
          return { complete: true };
        },
      }));

    // After the last question: a handler that is run again after a crash asks nothing twice, and does this once.
    if (!approved) return { deleted: [], reason: "A person has refused it." };
    for (const file of files) await rm(file, { force: true });
    return { deleted: names };
  },
});

/** The folder's real path, so that no link leads out of the working directory. */
async function folderInside(cwd: string, folder: string): Promise<string> {
  const root = await realpath(cwd);
  const path = await realpath(resolve(root, folder));
  if (path !== root && !path.startsWith(root + sep)) {
    throw new Error("The folder is outside of the working directory.");
  }
  return path;
}

async function assertFile(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (!isFile) throw new Error(`There is no file ${path}.`);
}
