import type { Told } from "@holdpoint/protocol";

import type { ResponderConfig } from "../interaction/find-responders.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { CallbacksPort } from "../ports/callbacks.ts";
import type { Clock } from "../ports/clock.ts";
import type { CredentialStore } from "../ports/credential-store.ts";
import type { FileListing } from "../ports/file-listing.ts";
import type { FolderTrustPort } from "../ports/folder-trust.ts";
import type { Ids } from "../ports/ids.ts";
import type { NotificationsPort } from "../ports/notifications.ts";
import type { PeoplePort } from "../ports/people.ts";
import type { SpentGrants } from "../ports/spent-grants.ts";
import type { Store } from "../ports/store.ts";
import type { OnInteraction } from "../stream/overview-feed.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ToolLogEntry } from "../tools/tool-context.ts";

export interface GatewayOptions {
  readonly store: Store;
  /** Default: in memory, lost when the gateway ends. */
  readonly credentials?: CredentialStore;
  /**
   * 32 bytes that only this gateway knows, the same after a restart. Credentials are sealed with them, so a row that
   * someone else adds to the store is not accepted. Default: random, which suits credentials that end with the gateway.
   */
  readonly credentialKey?: Uint8Array;
  readonly clock: Clock;
  readonly ids: Ids;
  /** By their names on the wire. The first one is offered first. */
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  /** The working directory of sessions that name none. */
  readonly defaultCwd: string;
  /**
   * Resolves to the reason why a directory is refused to agents, or `undefined` if it is allowed. Default: all are
   * allowed.
   */
  readonly refuseCwd?: (cwd: string) => Promise<Told | undefined>;
  /** Lists the files of a directory, for people who mention one in a message. Default: no files. */
  readonly listFiles?: (cwd: string) => Promise<FileListing>;
  /**
   * How long an interaction holds its agent if its request sets no time. Parked interactions have no limit. Default: no
   * limit.
   */
  readonly holdTimeoutMs?: number;
  /**
   * How long interactions of gateway tools wait after a restart for their call to come again, before the agent counts
   * as gone. Default 10 seconds.
   */
  readonly reattachGraceMs?: number;
  /**
   * How long an agent keeps running while it waits for a person. After that it is ended until the answer arrives.
   * Default 2 minutes; at most ten seconds while no client that may answer is connected. `Infinity`: it is never ended.
   * Agents that cannot be resumed keep running.
   */
  readonly parkAfterMs?: number;
  readonly grants?: {
    /** Days that an approval "from now on" is valid. Default 30. */
    readonly alwaysDays?: number;
    /**
     * 32 bytes that only this gateway knows, the same after a restart. Grants and rules are sealed with them, so a row
     * that someone else adds to the store is not accepted. Default: every row is accepted, which suits a store that
     * only the gateway can write.
     */
    readonly key?: Uint8Array;
    /** Prevents sealed rows that are gone from being restored. Default: in memory, until the gateway ends. */
    readonly spent?: SpentGrants;
  };
  /**
   * How long expired and orphaned interactions stay in the overview. After that they can be answered in their sessions.
   */
  readonly overview?: {
    /** Days after an interaction has expired. Default 7. */
    readonly expiredDays?: number | undefined;
    /** Days after an interaction was orphaned. Default 30. */
    readonly orphanedDays?: number | undefined;
  };
  /** Offered to every agent in addition to the built-in tools. */
  readonly tools?: readonly Tool[];
  /** Controls the content that may be loaded from the folder that the gateway was started in. Default: nothing. */
  readonly folderTrust?: FolderTrustPort;
  /** Notifies people who are away. Default: no notifications. */
  readonly notifications?: NotificationsPort;
  /** Notifies programs when their asks are over. Default: no callbacks, and asks that name one are refused. */
  readonly callbacks?: CallbacksPort;
  /** How long a client may be disconnected before it counts as gone. Default 10 seconds. */
  readonly availabilityGraceMs?: number;
  /**
   * How a tool's request is handled when no connected client can answer it: it waits (the default), or ends after
   * `availabilityGraceMs` with `INTERACTION_UNAVAILABLE`. A request may choose otherwise.
   */
  readonly availability?: "wait" | "refuse";
  /** Whether any person exists who could answer. Default: yes. */
  readonly hasPerson?: () => Promise<boolean>;
  /** Where people sign in, which determines who may answer. Default: nowhere. */
  readonly people?: PeoplePort;
  /** Who may answer which requests. Default: everyone with the role `responder`. */
  readonly responders?: ResponderConfig;
  /** How pending interactions are handled when every client that may answer has left. Default `wait`. */
  readonly onDisconnect?: "wait" | "deny";
  /**
   * The address of the page where a person answers an interaction, given to programs that ask. Default: its path,
   * `/i/ID`.
   */
  readonly toCardUrl?: (interactionId: string) => string;
  /** Receives the log entries of tool handlers. */
  readonly onToolLog?: (entry: ToolLogEntry) => void;
  readonly limits?: Partial<GatewayLimits>;
  /**
   * Called for each interaction that is written, with its trace and its previous status, for measurements. Must not
   * throw. Called again for interactions that a gateway finishes after a restart.
   */
  readonly onInteraction?: OnInteraction;
  /** Receives failures that reach no caller. Never receives answers or inputs. */
  readonly onError?: (error: unknown, where: string) => void;
}

export interface GatewayLimits {
  /** Default 100. */
  readonly pendingPerSession: number;
  /**
   * Interactions listed in the overview, pending or late, in all sessions created with one credential. The sessions of
   * all agents with tokens from the same person count together. Default 2,000.
   */
  readonly openPerCreator: number;
  /** Default 10,000. */
  readonly pendingInAll: number;
  /** Default 20. */
  readonly asksPerSecondPerSession: number;
  /** UTF-8 bytes of one request as JSON. Default 256 KiB. */
  readonly requestBytes: number;
  /** Messages in one session's queue. Default 100. */
  readonly queuedPerSession: number;
  /** Sessions per creator for agents that are started elsewhere, as in terminals. Default 1,000. */
  readonly sessionsElsewhere: number;
}
