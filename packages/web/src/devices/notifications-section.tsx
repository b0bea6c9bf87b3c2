import type { NotifiedDevice, NotifyAbout } from "@holdpoint/protocol";
import { Button, useAnnounce } from "@holdpoint/react";
import { useId, type ReactNode } from "react";

import { judgePushSupport, readBrowserFacts } from "../device/push-support.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { QuietHoursField } from "./quiet-hours-field.tsx";
import { type NotificationsControl, useNotifications } from "./use-notifications.ts";

const CHOICES: readonly (readonly [NotifyAbout, Words, Words])[] = [
  ["all", "Everything", "Approvals, questions and forms."],
  ["approvals", "Approvals only", "Questions and forms wait in the inbox."],
  ["off", "Nothing for now", "This device keeps its settings."],
];

/** The settings for notifications on this device. */
export function NotificationsSection(): ReactNode {
  const say = useWords();
  const id = useId();
  const control = useNotifications();
  const support = judgePushSupport(readBrowserFacts());
  return (
    <section className="access-section" aria-labelledby={id}>
      <div className="access-head">
        <h2 id={id}>{say("Notifications")}</h2>
        <p className="quiet">
          {say("Requests from an agent appear on this device while you are not looking.")}
        </p>
      </div>
      {support.kind === "no" ? (
        <p className="notify-note">
          {say(support.why)} <strong>{say(support.wayOut)}</strong>
        </p>
      ) : (
        control.isLoaded && <Controls control={control} />
      )}
      {control.trouble !== undefined && (
        <p className="field-error" role="alert">
          {control.trouble}
        </p>
      )}
    </section>
  );
}

function Controls({ control }: { readonly control: NotificationsControl }): ReactNode {
  const say = useWords();
  const { isOn, isPage, own, isBusy, setOn } = control;
  return (
    <div className="notify">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          aria-busy={isBusy}
          onChange={(event) => setOn(event.target.checked)}
        />
        {say("Notify this device")}
      </label>
      {isOn && isPage && (
        <p className="notify-note">
          {say(
            "This browser has no push service, or cannot reach it. You are notified only while a Holdpoint page is open in the background here.",
          )}
        </p>
      )}
      {isOn && own !== undefined && <Details control={control} own={own} />}
    </div>
  );
}

interface DetailsProps {
  readonly control: NotificationsControl;
  readonly own: NotifiedDevice;
}

function Details({ control, own }: DetailsProps): ReactNode {
  const say = useWords();
  const name = useId();
  return (
    <>
      <fieldset>
        <legend>{say("Notify me about")}</legend>
        {CHOICES.map(([about, label, help]) => (
          <label key={about}>
            <input
              type="radio"
              name={name}
              checked={own.about === about}
              onChange={() => control.update({ about })}
            />
            <span>
              {say(label)} <span className="notify-help">{say(help)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <QuietHoursField quiet={own.quiet} onChange={(quiet) => control.update({ quiet })} />
      <Test control={control} />
      {own.trouble !== undefined && control.tested === undefined && (
        <p className="field-error" role="alert">
          {say("The last notification did not arrive.")}{" "}
          {say.told(own.trouble, own.said?.["trouble"])}
        </p>
      )}
    </>
  );
}

function Test({ control }: Pick<DetailsProps, "control">): ReactNode {
  const say = useWords();
  const { isBusy, tested, test } = control;
  const announce = useAnnounce();
  const send = async (): Promise<void> => announce(await test());
  return (
    <div className="notify-test">
      <Button blocked={isBusy} onClick={() => void send()}>
        {say("Send a test")}
      </Button>
      {tested !== undefined && (
        <p className={tested.isSent ? "quiet" : "field-error"}>{tested.words}</p>
      )}
    </div>
  );
}
