import { existsSync } from "node:fs";

import { createSystemClock } from "@holdpoint/engine";

import { mergeConfigs } from "../config/config-file.ts";
import { resolveSettings, type Settings, type SettingsSources } from "../config/settings.ts";
import { KeyPrompt } from "../trust/key-prompt.ts";
import { USER_CONFIG } from "../trust/user-config.ts";
import { openNamedFolder, openStartFolder, type OwnFolder } from "./open-folder.ts";
import type { OpenedStore, StoreEvents } from "./open-store.ts";
import { assertUsableCwd } from "./refuse-cwd.ts";

/** The person's own settings, without anything from the directory. */
export type OwnSources = SettingsSources;

export interface OpenOwnFolderOptions<TOpened> {
  readonly sources: OwnSources;
  /** Opens the store that the settings name. */
  readonly open: (settings: Settings, events: StoreEvents) => Promise<TOpened>;
  /** Shows a line to the person. */
  readonly say: (line: string) => void;
  readonly onLost: StoreEvents["onLost"];
}

export interface Started<TOpened> {
  readonly settings: Settings;
  readonly own: OwnFolder;
  readonly opened: TOpened;
}

/**
 * Opens the config file and tools, as far as a person trusts them, and the store, whose folder records that trust.
 * `starting` takes ownership of the store. Rejects with `UsageError` or `StoreError`.
 */
export async function openOwnFolder<TOpened extends AsyncDisposable & Pick<OpenedStore, "secret">>(
  { sources, say, onLost, open }: OpenOwnFolderOptions<TOpened>,
  starting: AsyncDisposableStack,
): Promise<Started<TOpened>> {
  const { startDirectory, file: userFile } = sources;
  const before = resolveSettings(sources);
  const { config: named } = before;
  const onProblem = (problem: string): void => say(`holdpoint: ${problem}`);
  const openIn = async (settings: Settings): Promise<TOpened> => {
    // Refuses a working directory in the data folder before the folder is changed.
    if (existsSync(settings.dataDir)) await assertUsableCwd(settings);
    return open(settings, { onProblem, onLost });
  };
  const prompt = openPrompt(before);
  const options = { startDirectory, userFile, watch: before.watch, prompt, say };
  if (named !== undefined) {
    const own = await openNamedFolder(named, options);
    const file = mergeConfigs([userFile, own.file]);
    const settings = resolveSettings({ ...sources, file });
    return { settings, own, opened: starting.use(await openIn(settings)) };
  }
  const opened = starting.use(await openIn(before));
  const { dataDir } = before;
  const userConfigPath = USER_CONFIG;
  const { secret } = opened;
  const own = await openStartFolder({ ...options, dataDir, secret, userConfigPath });
  const file = mergeConfigs([userFile, own.file]);
  return { settings: resolveSettings({ ...sources, file }), own, opened };
}

/** A prompt, only if a person sees it and can press a key: not in a pipe or a journal. */
function openPrompt({ json }: Settings): KeyPrompt | undefined {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY || json) return undefined;
  return new KeyPrompt({ input, output, clock: createSystemClock() });
}
