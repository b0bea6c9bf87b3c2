import { createClaudeAdapter } from "holdpoint/agents";
import type { Transport } from "holdpoint/client";
import { createDirectTransport } from "holdpoint/client/direct";
import { createSystemClock, createSystemIds, openGateway } from "holdpoint/engine";
import { openSqliteStore } from "holdpoint/sqlite";

export interface PluginOptions {
  /** The folder open in the editor, where Claude works. */
  readonly folder: string;
  /** The plugin's own folder for the log. Only one process at a time can open it. */
  readonly dataDir: string;
  /** The environment with Claude's login. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Plugin extends AsyncDisposable {
  /** For the views: pass it to `HoldpointProvider`. */
  readonly transport: Transport;
}

/** Claude in a gateway inside the editor, without a server or a port. Disposing it ends Claude and closes the log. */
export async function openPlugin({ folder, dataDir, env }: PluginOptions): Promise<Plugin> {
  await using opening = new AsyncDisposableStack();
  const parts = { clock: createSystemClock(), ids: createSystemIds() };
  const store = opening.use(await openSqliteStore({ dataDir }));
  const claude = opening.use(createClaudeAdapter({ ...parts, env }));
  const agents = new Map([["claude", claude]]);
  const gateway = opening.use(await openGateway({ ...parts, store, agents, defaultCwd: folder }));
  const person = { person: "You", client: "Editor", clientId: "editor" };
  const transport = opening.use(createDirectTransport({ gateway, ...person }));
  const opened = opening.move();
  return { transport, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
