import { Button } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { useTrouble } from "./words/use-trouble.ts";
import { useWords } from "./words/use-words.ts";

interface ShowMoreProps {
  /** How many rows are not shown. */
  readonly count: number;
  /** Shows the next page. Rejects when it cannot be loaded. */
  readonly onMore: () => Promise<void>;
}

/** The end of a list that is not shown completely. */
export function ShowMore({ count, onMore }: ShowMoreProps): ReactNode {
  const say = useWords();
  const toTrouble = useTrouble();
  const [loading, setLoading] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  if (count <= 0) return null;
  const load = async (): Promise<void> => {
    setLoading(true);
    setTrouble(undefined);
    try {
      await onMore();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
    }
    setLoading(false);
  };
  return (
    <p className="show-more">
      <Button tone="quiet" blocked={loading} onClick={() => void load()}>
        {say("Show more ({n})", { n: count })}
      </Button>
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </p>
  );
}
