import type { Clock, Ids } from "@holdpoint/engine";
import type { Notifications } from "@holdpoint/notify";
import type { NodePlace, PeopleOptions } from "@holdpoint/server";
import type { Logger } from "pino";

import type { Settings } from "../config/settings.ts";
import type { Telemetry } from "../telemetry/open-telemetry.ts";
import type { Terminal } from "../terminal.ts";
import type { ToolBox } from "../tools/tool-box.ts";
import type { OwnFolder } from "./open-folder.ts";
import type { OpenedStore } from "./open-store.ts";

export interface ComposeOptions {
  readonly settings: Settings;
  /** Opens what the gateway keeps its data in. */
  readonly openStore: (settings: Settings) => Promise<OpenedStore>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the built page. */
  readonly webRoot: string;
  /** Folder for files that may be lost, such as the demo agent's scratch folders. */
  readonly cacheDir: string;
  /** Folder of the person's own settings. */
  readonly configDir: string;
  readonly log: Logger;
  readonly say: (line: string) => void;
  /** The gateway's own terminal; absent where it has none. */
  readonly terminal?: Terminal;
  /** What the person's own tools come from; absent where nothing is loaded. */
  readonly own?: OwnFolder;
  /** Of one of several nodes, which listens already. */
  readonly nodes?: NodePlace;
}

/** What a gateway is put together from, with what was opened on the way. */
export interface Parts extends ComposeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly notifications: Notifications;
  readonly telemetry: Telemetry;
  /** Who may come in beside the owner, and answer. */
  readonly people: PeopleOptions | undefined;
  /** The person's own tools. */
  readonly box: ToolBox | undefined;
}
