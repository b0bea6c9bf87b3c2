import { isHolding, type Interaction } from "@holdpoint/protocol";
import { useEffect, useRef, type ReactNode } from "react";

import { useAnnounce } from "../../parts/announcer.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { leftRefreshMs, remainingTime } from "../../parts/time-words.ts";
import { useNow, useUiClock, type UiClock } from "../../parts/ui-clock.tsx";
import { useWords } from "../../words/use-words.ts";
import { deadlineWords, NO_HURRY } from "./card-words.ts";

/** "asked 2 min ago · 9 min left", or "… · no deadline". */
export function CardTiming({ interaction }: { readonly interaction: Interaction }): ReactNode {
  const say = useWords();
  const counting = isHolding(interaction) && interaction.hold !== "parked";
  return (
    <span className="hp-card-timing">
      <span className="hp-nowrap">
        {say.rich("asked {when}", { when: <RelativeTime at={interaction.startedAt} /> })}
      </span>
      {counting && interaction.deadlineAt !== undefined ? (
        <Countdown interaction={interaction} />
      ) : (
        interaction.status === "pending" && <span className="hp-card-hurry">{say(NO_HURRY)}</span>
      )}
    </span>
  );
}

/** Moments, in milliseconds before the deadline, at which screen readers announce the time left. */
const THRESHOLDS = [5 * 60_000, 60_000, 15_000];

function Countdown({ interaction }: { readonly interaction: Interaction }): ReactNode {
  const say = useWords();
  const clock = useUiClock();
  const deadline = toLocalDeadline(interaction, clock) ?? 0;
  const now = useNow(leftRefreshMs(deadline - clock.now()));
  const remaining = Math.max(0, deadline - now);
  useThresholdAnnouncement(remaining);
  const total = Date.parse(interaction.deadlineAt ?? "") - Date.parse(interaction.startedAt);
  const share = !(total > 0) ? 0 : Math.min(1, remaining / total);
  const urgent = remaining < 60_000;
  return (
    <>
      <span
        className={urgent ? "hp-countdown hp-countdown-urgent" : "hp-countdown"}
        role="timer"
        aria-live="off"
        title={say(deadlineWords(interaction))}
      >
        {remainingTime(remaining, say)}
      </span>
      <span className="hp-countdown-track" aria-hidden="true">
        <span className="hp-countdown-bar" style={{ transform: `scaleX(${share.toFixed(4)})` }} />
      </span>
    </>
  );
}

function useThresholdAnnouncement(remaining: number): void {
  const announce = useAnnounce();
  const say = useWords();
  const passed = THRESHOLDS.filter((threshold) => remaining <= threshold).length;
  const last = useRef(passed);
  useEffect(() => {
    if (passed > last.current && remaining > 0) {
      announce(say("A pending request: {left}", { left: remainingTime(remaining, say) }));
    }
    last.current = passed;
  }, [announce, say, passed, remaining]);
}

/** The earliest anchor of each deadline, by clock. */
const anchors = new WeakMap<UiClock, Map<string, number>>();
const MAX_ANCHORS = 500;

/**
 * The deadline by this device's clock, in epoch milliseconds; undefined without a deadline.
 *
 * `remainingMs` is right only at the moment it arrives. So the earliest deadline computed from it is kept: a card that
 * is mounted again later must not restart the countdown.
 */
function toLocalDeadline(interaction: Interaction, clock: UiClock): number | undefined {
  const { interactionId, deadlineAt, remainingMs } = interaction;
  if (deadlineAt === undefined) return undefined;
  const known = anchorsOf(clock);
  const key = JSON.stringify([interactionId, deadlineAt]);
  const anchored = known.get(key);
  if (remainingMs === undefined) return anchored ?? Date.parse(deadlineAt);
  const anchor = Math.min(anchored ?? Infinity, clock.now() + remainingMs);
  known.delete(key);
  known.set(key, anchor);
  const [oldest] = known.keys();
  if (known.size > MAX_ANCHORS && oldest !== undefined) known.delete(oldest);
  return anchor;
}

function anchorsOf(clock: UiClock): Map<string, number> {
  let known = anchors.get(clock);
  if (known === undefined) {
    known = new Map();
    anchors.set(clock, known);
  }
  return known;
}
