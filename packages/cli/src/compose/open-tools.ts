import type { Clock, Tool } from "@holdpoint/engine";
import { type FolderTrust, refusal } from "@holdpoint/protocol";

import { readConfigFile } from "../config/config-file.ts";
import { ToolBox, type ToolChanges } from "../tools/tool-box.ts";
import { watchTools } from "../tools/watch-tools.ts";
import type { OwnCode } from "../trust/trusted-folder.ts";
import { UsageError } from "../usage-error.ts";
import { changedSettings, type OwnFolder, readOwnConfig } from "./open-folder.ts";

/** Loads the person's own tools, as far as they are trusted. Reports a broken file to `say`, and loads the rest. */
export async function openTools(
  { trusted, owner }: OwnFolder,
  say: (line: string) => void,
): Promise<ToolBox> {
  const box = new ToolBox({
    importConfigTools: async (config, importOwn) =>
      (await readConfigFile(config, importOwn, owner)).tools ?? [],
    onProblem: (source, problem) => say(`holdpoint: ${source}: ${problem}`),
    onChange: (changes) => say(`holdpoint: ${describeChanges(changes)}`),
  });
  const { code } = trusted;
  await box.load(code?.snapshot ?? { files: [] }, code?.importOwn ?? noModules);
  return box;
}

const noModules = (): Promise<never> => Promise.reject(new Error("There is no module."));

/** One line for the terminal, such as "loaded greet (tools/greet.ts); gone: pay". */
function describeChanges({ loaded, gone }: ToolChanges): string {
  const tools = loaded.map(({ name, source }) => `${name} (${source})`).join(", ");
  return [
    ...(loaded.length > 0 ? [`loaded ${tools}`] : []),
    ...(gone.length > 0 ? [`gone: ${gone.join(", ")}`] : []),
  ].join("; ");
}

export interface FollowFolderOptions {
  readonly own: OwnFolder;
  readonly box: ToolBox;
  readonly clock: Clock;
  /** Check the folder again when its files change. */
  readonly watch: boolean;
  readonly onTools: (tools: readonly Tool[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Replaces the tools whenever a person trusts new ones, and notifies the person of changed files, until disposed. */
export function followFolder(options: FollowFolderOptions): Disposable {
  const { own, box, clock, watch, onTools, onError } = options;
  const { trusted, owner, file, notice } = own;
  const apply = async (code: OwnCode): Promise<string[]> => {
    notice.withdraw();
    const now = await readOwnConfig(code, owner).catch((error: unknown) => {
      if (error instanceof UsageError) throw refusal("INVALID_REQUEST", error.told);
      throw error;
    });
    if (await box.load(code.snapshot, code.importOwn)) await onTools(box.tools);
    return changedSettings(file, now);
  };
  const listFailed = (): FolderTrust["failed"] => [...box.failures];
  trusted.applyWith(apply, {
    listFailed,
    onTrusted({ files }, needsStart) {
      const loadable = files.filter(({ role }) => role !== "module").length;
      notice.tellLoaded(loadable, { needsStart: [...needsStart], failed: listFailed() });
    },
  });
  const following = new DisposableStack();
  following.use(notice);
  // Not awaited: a question may stay open for hours, and later changes must still be noticed.
  const onChange = async (): Promise<void> => void notice.tell().catch(onError);
  const { place } = trusted;
  if (watch) {
    const listFiles = (): Iterable<string> => trusted.paths;
    following.use(watchTools({ ...place, listFiles, clock, onChange, onError }));
  }
  return following;
}
