import { useCallback, useState } from "react";

import { useHoldpoint } from "./provider.tsx";

/** Text that is kept on every change and found again after a reload. Empty text removes it. */
export function useDraft(key: string): readonly [text: string, setText: (text: string) => void] {
  const { drafts } = useHoldpoint();
  const [state, setState] = useState(() => ({ key, text: drafts.read(key) ?? "" }));
  const current = state.key === key ? state : { key, text: drafts.read(key) ?? "" };
  if (current !== state) setState(current);
  const setText = useCallback(
    (text: string) => {
      setState({ key, text });
      if (text === "") drafts.remove(key);
      else drafts.write(key, text);
    },
    [drafts, key],
  );
  return [current.text, setText];
}
