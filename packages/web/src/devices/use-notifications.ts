import type {
  Notifications,
  NotificationTest,
  NotifiedDevice,
  UpdateNotificationsBody,
} from "@holdpoint/protocol";
import { useTransport } from "@holdpoint/react";
import { useEffect, useMemo, useState } from "react";

import { createDeviceStorage } from "../device/device-storage.ts";
import {
  refreshSubscription,
  turnOff,
  turnOn,
  type TurnedOn,
} from "../device/push-subscription.ts";
import { useTrouble } from "../words/use-trouble.ts";
import { useWords, type Say, type Words } from "../words/use-words.ts";

const DENIED: Words = "The browser did not allow it. Nothing was changed.";

interface Tested {
  readonly isSent: boolean;
  readonly words: string;
}

export interface NotificationsControl {
  readonly isLoaded: boolean;
  /** This device is notified, by push or by its open pages. */
  readonly isOn: boolean;
  /** Open pages show the notifications, since the browser has no push service. */
  readonly isPage: boolean;
  /** The settings of this device; absent without push. */
  readonly own: NotifiedDevice | undefined;
  readonly isBusy: boolean;
  readonly trouble: string | undefined;
  /** The result of the last test. */
  readonly tested: Tested | undefined;
  readonly setOn: (on: boolean) => void;
  readonly update: (body: UpdateNotificationsBody) => void;
  /** Sends a test. Resolves to its result in words. */
  readonly test: () => Promise<string>;
}

/** The notifications of this device, combining the gateway's and the browser's state. */
export function useNotifications(): NotificationsControl {
  const say = useWords();
  const { tag, locale: language = tag } = say.language;
  const toTrouble = useTrouble();
  const transport = useTransport();
  const storage = useMemo(() => createDeviceStorage(() => localStorage, window), []);
  const [shown, setShown] = useState<Notifications>();
  const [isPage, setIsPage] = useState(() => storage.read("notify") === "page");
  const [isBusy, setIsBusy] = useState(false);
  /** The person's latest choice, until its result is known. */
  const [wanted, setWanted] = useState<boolean>();
  const [trouble, setTrouble] = useState<string>();
  const [tested, setTested] = useState<Tested>();
  const run = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    setIsBusy(true);
    setTrouble(undefined);
    try {
      return await act();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
      return undefined;
    } finally {
      setShown(await transport.getNotifications().catch(() => undefined));
      setIsPage(storage.read("notify") === "page");
      setIsBusy(false);
      setWanted(undefined);
    }
  };
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the controls are busy until the result is known
    void run(() => refreshSubscription(transport, storage, language));
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- once for each gateway and language
  }, [transport, storage, language]);
  const own = shown?.devices.find(({ current }) => current);
  const on = async (): Promise<void> =>
    setTrouble(toRefusal(await turnOn(transport, storage, { about: "all", language }), say));
  return {
    isLoaded: shown !== undefined,
    isOn: wanted ?? (own !== undefined || isPage),
    isPage,
    own,
    isBusy,
    trouble,
    tested,
    setOn: (next) => {
      setTested(undefined);
      setWanted(next);
      void run(next ? on : () => turnOff(transport, storage));
    },
    update: (body) => {
      setShown((before) => before && withUpdate(before, body));
      void run(() => transport.updateNotifications(body));
    },
    async test() {
      setTested(undefined);
      const result = await run(() => transport.testNotifications());
      if (result === undefined) return "";
      const words = toTestWords(result, say);
      setTested({ isSent: result.result === "sent", words });
      return words;
    },
  };
}

/** The explanation if the browser refuses notifications. */
function toRefusal(result: TurnedOn, say: Say): string | undefined {
  return result === "denied" ? say(DENIED) : undefined;
}

/** The settings after an update that the gateway has not confirmed yet. */
function withUpdate(
  { devices, ...rest }: Notifications,
  { about, quiet }: UpdateNotificationsBody,
): Notifications {
  const updated = devices.map((device): NotifiedDevice => {
    if (!device.current) return device;
    const { quiet: before, ...others } = device;
    const next = quiet === undefined ? before : quiet;
    return { ...others, about: about ?? device.about, ...(next && { quiet: next }) };
  });
  return { ...rest, devices: updated };
}

function toTestWords({ result, detail: text = "", said }: NotificationTest, say: Say): string {
  const detail = say.told(text, said?.["detail"]);
  switch (result) {
    case "sent":
      return say(
        "The push service has taken it: it appears within seconds. If it does not, check the system's settings for this browser, and “Do not disturb”.",
      );
    case "gone":
      return say("This browser has ended its subscription. Turn notifications on again.");
    case "refused":
      return say("The push service refused it. {detail} Turn notifications off and on again.", {
        detail,
      });
    case "unreachable":
      return say("The gateway cannot reach the push service. {detail} Check its network.", {
        detail,
      });
  }
}
