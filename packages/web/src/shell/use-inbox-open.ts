import { useState } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";

const wideScreen = "(min-width: 1280px)";

/** Remembered once chosen; until then open where there is room. */
export function useInboxOpen(storage: DeviceStorage): readonly [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => {
    const stored = storage.read("inbox");
    return stored === undefined ? matchMedia(wideScreen).matches : stored === "open";
  });
  return [
    open,
    (next) => {
      storage.write("inbox", next ? "open" : "closed");
      setOpen(next);
    },
  ];
}
