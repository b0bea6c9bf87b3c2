import { useEffect, useState } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";

/** Screens with room for the inbox next to the conversation. On smaller ones, it covers the conversation. */
const WIDE_SCREEN = "(width > 73.75em)";

/** Whether the inbox is open: on wide screens the stored choice (default: open), on others closed until it is opened. */
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
