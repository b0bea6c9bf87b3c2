import { useOverview, useTransport, type TroubleWords } from "@holdpoint/react";
import { useEffect, useState } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { readGrants, type GrantsShown } from "./read-grants.ts";

const PAGE_SIZE = 100;

interface UseGrants {
  /** Absent until first loaded. */
  readonly shown: GrantsShown | undefined;
  readonly trouble: TroubleWords | undefined;
  readonly showMore: () => void;
}

/** The grants. Loaded again whenever the overview reports a change. */
export function useGrants(): UseGrants {
  const toTrouble = useTrouble();
  const transport = useTransport();
  const { overview, connection } = useOverview();
  const { grantsVersion } = overview;
  const [shown, setShown] = useState<GrantsShown>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  const [count, setCount] = useState(PAGE_SIZE);
  useEffect(() => {
    const aborted = new AbortController();
    readGrants(transport, count, aborted.signal).then(
      (read) => {
        setShown(read);
        setTrouble(undefined);
      },
      (error: unknown) => {
        if (!aborted.signal.aborted) setTrouble(toTrouble(error));
      },
    );
    return () => aborted.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of any of them may have changed the list
  }, [transport, toTrouble, count, grantsVersion, connection]);
  return { shown, trouble, showMore: () => setCount((before) => before + PAGE_SIZE) };
}
