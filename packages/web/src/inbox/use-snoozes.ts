import type { Overview } from "@holdpoint/client";
import type { Snooze } from "@holdpoint/protocol";
import { useTransport, useUiClock } from "@holdpoint/react";
import { useEffect, useMemo, useState } from "react";

import type { InboxRows, Snoozes } from "./use-inbox-rows.ts";

/**
 * The person's current snoozes. Loaded again whenever the gateway reports a change, and, if there are any, whenever the
 * counts change: an answered interaction is no longer snoozed.
 */
function useSnoozes({ snoozesVersion, counts, epoch }: Overview): Snoozes {
  const transport = useTransport();
  const clock = useUiClock();
  const [read, setRead] = useState<readonly Snooze[]>([]);
  const [nowMs, setNowMs] = useState(0);
  const watched = read.length > 0 ? counts : undefined;
  useEffect(() => {
    if (epoch === undefined) return undefined;
    const aborted = new AbortController();
    transport.listSnoozes({ signal: aborted.signal }).then(
      ({ items }) => {
        setNowMs(clock.now());
        setRead((before) => (items.length + before.length === 0 ? before : items));
      },
      () => undefined, // Then the connection also breaks, and the next snapshot loads it again.
    );
    return () => aborted.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of any of them may have changed the list
  }, [transport, clock, epoch, snoozesVersion, watched]);
  const left = useMemo(() => read.filter(({ until }) => Date.parse(until) > nowMs), [read, nowMs]);
  const nextMs = Math.min(...left.map(({ until }) => Date.parse(until)));
  useEffect(() => {
    if (nextMs === Infinity) return undefined;
    return clock.schedule(Math.max(nextMs - clock.now(), 0), () => setNowMs(clock.now()));
  }, [clock, nextMs]);
  return useMemo(
    () => new Map(left.map(({ interactionId, until }) => [interactionId, until])),
    [left],
  );
}

/** Loads the snoozes for the whole page. */
export function useToldSnoozes(overview: Overview, { tellSnoozes }: InboxRows): void {
  const snoozes = useSnoozes(overview);
  useEffect(() => tellSnoozes(snoozes), [tellSnoozes, snoozes]);
}
