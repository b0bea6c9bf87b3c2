import type { HistoryFilter } from "@holdpoint/protocol";
import { Button, useAnnounce, useTransport, useUiClock } from "@holdpoint/react";
import { useEffect, useState, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";
import { toDay } from "./days.ts";
import { readLines, saveLines } from "./export-history.ts";

/** Longer than a browser takes to start saving a file. */
const SAVED_AFTER_MS = 60_000;

/** Saves all entries that match the filter as a file. */
export function ExportButton({ filter }: { readonly filter: HistoryFilter }): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const clock = useUiClock();
  const announce = useAnnounce();
  const toTrouble = useTrouble();
  const [running, setRunning] = useState<AbortController>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => () => running?.abort(), [running]);

  const save = async (): Promise<void> => {
    const controller = new AbortController();
    setRunning(controller);
    setTrouble(undefined);
    try {
      const lines = await readLines(transport, filter, controller.signal);
      const day = toDay(new Date(clock.now()).toISOString());
      const address = saveLines(`holdpoint-history-${day}.jsonl`, lines);
      clock.schedule(SAVED_AFTER_MS, () => URL.revokeObjectURL(address));
      announce(say("{count} answer saved|{count} answers saved", { count: lines.length }));
    } catch (error: unknown) {
      if (!controller.signal.aborted) setTrouble(toTrouble(error).text);
    }
    setRunning(undefined);
  };
  return (
    <>
      <Button blocked={running !== undefined} onClick={() => void save()}>
        {say(running === undefined ? "Export as JSON Lines" : "Exporting…")}
      </Button>
      {trouble !== undefined && (
        <span className="field-error" role="alert">
          {trouble}
        </span>
      )}
    </>
  );
}
