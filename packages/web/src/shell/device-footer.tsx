import { Button, useRole } from "@holdpoint/react";
import { CircleHelp, Monitor, Moon, Search, Sun, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { THEMES, useTheme, type Theme } from "../device/theme.ts";
import type { Route } from "../route.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { PageLinks } from "./page-links.tsx";
import { SignInEnd } from "./sign-in-end.tsx";
import type { DeviceMode } from "./use-device-mode.ts";
import { usePushSubscription } from "./use-push-subscription.ts";

import "../styles/device-footer.css";

interface DeviceFooterProps {
  readonly storage: DeviceStorage;
  readonly device: DeviceMode;
  /** The page on screen. */
  readonly selected: Route["name"];
  readonly onHelp: () => void;
  readonly onPalette: () => void;
}

const THEME_ICONS: Readonly<Record<Theme, LucideIcon>> = {
  system: Monitor,
  light: Sun,
  dark: Moon,
};
const THEME_NAMES: Readonly<Record<Theme, Words>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

/** Links to the other pages, and the settings of this device. */
export function DeviceFooter(props: DeviceFooterProps): ReactNode {
  const { storage, device, selected, onHelp, onPalette } = props;
  const say = useWords();
  const isViewer = useRole() === "viewer";
  usePushSubscription(storage);
  return (
    <footer className="rail-footer">
      <SignInEnd />
      <PageLinks selected={selected} />
      {!isViewer && (
        <div className="rail-device">
          <AnsweringSwitch device={device} />
        </div>
      )}
      <div className="rail-footer-row">
        <ThemeChoice storage={storage} />
        <Button
          tone="quiet"
          iconOnly
          title={say("Go to (Ctrl+K)")}
          icon={<Search aria-hidden />}
          onClick={onPalette}
        >
          {say("Go to")}
        </Button>
        <Button
          tone="quiet"
          iconOnly
          title={say("Keyboard shortcuts (?)")}
          icon={<CircleHelp aria-hidden />}
          onClick={onHelp}
        >
          {say("Keyboard shortcuts")}
        </Button>
      </div>
    </footer>
  );
}

function AnsweringSwitch({ device }: Pick<DeviceFooterProps, "device">): ReactNode {
  const { answering, trouble, choose } = device;
  const say = useWords();
  return (
    <>
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={answering}
          aria-checked={answering}
          onChange={(event) => choose(event.target.checked)}
        />
        {say("Answer from this device")}
      </label>
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
    </>
  );
}

function ThemeChoice({ storage }: Pick<DeviceFooterProps, "storage">): ReactNode {
  const [theme, setTheme] = useTheme(storage);
  const say = useWords();
  return (
    <fieldset className="themes">
      <legend className="hp-visually-hidden">{say("Theme")}</legend>
      {THEMES.map((name) => {
        const Icon = THEME_ICONS[name];
        return (
          <label key={name} title={say(THEME_NAMES[name])}>
            <input
              type="radio"
              name="theme"
              checked={name === theme}
              onChange={() => setTheme(name)}
            />
            <Icon aria-hidden />
            <span className="hp-visually-hidden">{say(THEME_NAMES[name])}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
