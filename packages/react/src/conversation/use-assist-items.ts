import type { Transport } from "@holdpoint/client";
import type { AgentCommand } from "@holdpoint/protocol";
import { useEffect, useRef, useState } from "react";

import { useTransport } from "../hooks/use-transport.ts";
import { useUiClock } from "../parts/ui-clock.tsx";
import type { AssistToken } from "./assist-token.ts";

/** A suggestion for a token. */
export interface AssistItem {
  /** The command's name, or the path. */
  readonly value: string;
  readonly hint?: string | undefined;
  readonly description?: string | undefined;
}

/** The target of a message: a session, or an agent to start in a folder (default: the gateway's). */
export type AssistPlace =
  | { readonly sessionId: string }
  | { readonly agent: string; readonly cwd?: string | undefined };

const NONE: readonly AssistItem[] = [];
const MAX_ITEMS = 50;
/** How long to wait for the person to stop typing before asking the gateway. */
const PAUSE_MS = 80;

/** The gateway's suggestions for the token. Keeps the previous ones until the new ones arrive. */
export function useAssistItems(
  place: AssistPlace,
  token: AssistToken | undefined,
): readonly AssistItem[] {
  const transport = useTransport();
  const clock = useUiClock();
  const [found, setFound] = useState<{ kind: string; of: string; items: readonly AssistItem[] }>();
  const { kind, text = "" } = token ?? {};
  const of = JSON.stringify(place);
  /** The commands are read once, as long as the token stays a command of the same place. */
  const commands = useRef<{
    readonly of: string;
    readonly list: Promise<readonly AgentCommand[]>;
  }>(undefined);
  useEffect(() => {
    if (kind === undefined) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const find = async (): Promise<void> => {
      const here = JSON.parse(of) as AssistPlace;
      const known = commands.current?.of === of ? commands.current.list : undefined;
      const list = kind === "command" ? (known ?? readCommands(transport, here)) : undefined;
      commands.current = list && { of, list };
      const items = list
        ? matchCommands(await list, text)
        : await findFiles(transport, { place: here, text, signal });
      if (!signal.aborted) setFound({ kind, of, items });
    };
    const cancel = clock.schedule(PAUSE_MS, () => void find());
    return () => {
      cancel();
      leaving.abort();
    };
  }, [transport, clock, of, kind, text]);
  return kind !== undefined && found?.kind === kind && found.of === of ? found.items : NONE;
}

interface FileSearch {
  readonly place: AssistPlace;
  readonly text: string;
  readonly signal: AbortSignal;
}

async function findFiles(
  transport: Transport,
  { place, text, signal }: FileSearch,
): Promise<readonly AssistItem[]> {
  const query = { text: text.slice(0, 256), limit: MAX_ITEMS };
  try {
    const { items } = await ("sessionId" in place
      ? transport.findFiles(place.sessionId, query, { signal })
      : transport.findFolderFiles({ ...query, ...toFolder(place) }, { signal }));
    return items.map(({ path }) => ({ value: path }));
  } catch {
    // A message can be written without suggestions.
    return [];
  }
}

async function readCommands(
  transport: Transport,
  place: AssistPlace,
): Promise<readonly AgentCommand[]> {
  try {
    const { items } = await ("sessionId" in place
      ? transport.listCommands(place.sessionId)
      : transport.listAgentCommands(place.agent, toFolder(place)));
    return items;
  } catch {
    return [];
  }
}

function toFolder({ cwd }: { readonly cwd?: string | undefined }): { readonly cwd?: string } {
  return cwd === undefined ? {} : { cwd };
}

/** Commands whose name begins with the text, followed by those whose name or alias contains it. */
export function matchCommands(
  commands: readonly AgentCommand[],
  text: string,
): readonly AssistItem[] {
  const wanted = text.toLowerCase();
  const ranked = commands.flatMap(({ name, aliases = [], argumentHint: hint, description }) => {
    const names = [name, ...aliases].map((one) => one.toLowerCase());
    const isFirst = names[0]?.startsWith(wanted) === true;
    if (!isFirst && !names.some((one) => one.includes(wanted))) return [];
    return [{ rank: isFirst ? 0 : 1, item: { value: name, hint, description } }];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
}
