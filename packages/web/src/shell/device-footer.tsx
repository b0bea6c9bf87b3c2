import { Button } from "@holdpoint/react";
import {
  CircleHelp,
  History,
  Monitor,
  MonitorSmartphone,
  Moon,
  Search,
  Sun,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import type { DeviceStorage } from "../device/device-storage.ts";
import { THEMES, useTheme, type Theme } from "../device/theme.ts";
import { Link } from "../link.tsx";
import type { Route } from "../route.ts";
import type { DeviceMode } from "./use-device-mode.ts";

import "../styles/device-footer.css";

interface DeviceFooterProps {
  readonly storage: DeviceStorage;
  readonly device: DeviceMode;
  /** What is on screen. */
  readonly selected: Route["name"];
  readonly onHelp: () => void;
  readonly onPalette: () => void;
}

const THEME_ICONS: Readonly<Record<Theme, LucideIcon>> = {
  system: Monitor,
  light: Sun,
  dark: Moon,
};
const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

/** What is set for this device alone. */
export function DeviceFooter(props: DeviceFooterProps): ReactNode {
  const { storage, device, selected, onHelp, onPalette } = props;
  const { answering, trouble, choose } = device;
  return (
    <footer className="rail-footer">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={answering}
          aria-checked={answering}
          onChange={(event) => choose(event.target.checked)}
        />
        Answer from this device
      </label>
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
      <Link
        to={{ name: "history" }}
        className="rail-grants"
        aria-current={selected === "history" ? "page" : undefined}
      >
        <History aria-hidden />
        History
      </Link>
      <Link
        to={{ name: "devices" }}
        className="rail-grants"
        aria-current={selected === "devices" ? "page" : undefined}
      >
        <MonitorSmartphone aria-hidden />
        Devices and programs
      </Link>
      <div className="rail-footer-row">
        <ThemeChoice storage={storage} />
        <Button
          tone="quiet"
          iconOnly
          title="Go to (Ctrl+K)"
          icon={<Search aria-hidden />}
          onClick={onPalette}
        >
          Go to
        </Button>
        <Button
          tone="quiet"
          iconOnly
          title="Keys (?)"
          icon={<CircleHelp aria-hidden />}
          onClick={onHelp}
        >
          Keys
        </Button>
      </div>
    </footer>
  );
}

function ThemeChoice({ storage }: Pick<DeviceFooterProps, "storage">): ReactNode {
  const [theme, setTheme] = useTheme(storage);
  return (
    <fieldset className="themes">
      <legend className="hp-visually-hidden">Theme</legend>
      {THEMES.map((name) => {
        const Icon = THEME_ICONS[name];
        return (
          <label key={name} title={THEME_NAMES[name]}>
            <input
              type="radio"
              name="theme"
              checked={name === theme}
              onChange={() => setTheme(name)}
            />
            <Icon aria-hidden />
            <span className="hp-visually-hidden">{THEME_NAMES[name]}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
