import { useEffect, useState } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";

/** Screens with room for the inbox beside the conversation; on smaller ones it lies over the conversation. */
const WIDE_SCREEN = "(width > 73.75em)";

/**
 * The person's choice, which is remembered; until then open where there is room. It never covers the conversation by
 * itself.
 */
export function useInboxOpen(
  storage: DeviceStorage,
): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const [open, setOpen] = useState(
    () => matchMedia(WIDE_SCREEN).matches && storage.read("inbox") !== "closed",
  );
  useEffect(() => {
    const media = matchMedia(WIDE_SCREEN);
    const onChange = (): void => setOpen(media.matches && storage.read("inbox") !== "closed");
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, [storage]);
  return [
    open,
    (next) => {
      if (matchMedia(WIDE_SCREEN).matches) storage.write("inbox", next ? undefined : "closed");
      setOpen(next);
    },
  ];
}
