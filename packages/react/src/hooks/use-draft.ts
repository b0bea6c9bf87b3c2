import { useCallback, useEffect, useState } from "react";

import { useHoldpoint } from "./provider.tsx";

/** Text that is stored on every change, and restored after a reload. Empty text removes it. */
export function useDraft(key: string): readonly [text: string, setText: (text: string) => void] {
  const { drafts, draftChanges } = useHoldpoint();
  const [state, setState] = useState(() => ({ key, text: drafts.read(key) ?? "" }));
  const current = state.key === key ? state : { key, text: drafts.read(key) ?? "" };
  if (current !== state) setState(current);
  const setText = useCallback(
    (text: string) => {
      setState({ key, text });
      if (text === "") drafts.remove(key);
      else drafts.write(key, text);
      draftChanges.dispatchEvent(new Event(key));
    },
    [drafts, draftChanges, key],
  );
  useEffect(() => {
    const read = (): void => setState({ key, text: drafts.read(key) ?? "" });
    draftChanges.addEventListener(key, read);
    return () => draftChanges.removeEventListener(key, read);
  }, [drafts, draftChanges, key]);
  return [current.text, setText];
}
