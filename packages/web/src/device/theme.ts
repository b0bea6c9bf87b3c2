import { useCallback, useState } from "react";

import type { DeviceStorage } from "./device-storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The chosen theme, and a function to choose another. `public/theme.js` applies it before the first paint. */
export function useTheme(storage: DeviceStorage): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => parseTheme(storage.read("theme")));
  const choose = useCallback(
    (next: Theme) => {
      storage.write("theme", next === "system" ? undefined : next);
      if (next === "system") delete document.documentElement.dataset["theme"];
      else document.documentElement.dataset["theme"] = next;
      setTheme(next);
    },
    [storage],
  );
  return [theme, choose];
}

function parseTheme(stored: string | undefined): Theme {
  return stored === "light" || stored === "dark" ? stored : "system";
}
