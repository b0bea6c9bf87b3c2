import { Button } from "@holdpoint/react";
import { CircleHelp, Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { THEMES, type Theme } from "../device/theme.ts";

interface DeviceFooterProps {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
  readonly answering: boolean;
  readonly onAnswering: (enabled: boolean) => void;
  readonly trouble: string | undefined;
  readonly onHelp: () => void;
}

const icons: Readonly<Record<Theme, LucideIcon>> = { system: Monitor, light: Sun, dark: Moon };
const names: Readonly<Record<Theme, string>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

/** What is set for this device alone. */
export function DeviceFooter(props: DeviceFooterProps): ReactNode {
  const { theme, onTheme, answering, onAnswering, trouble, onHelp } = props;
  return (
    <footer className="rail-footer">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={answering}
          onChange={(event) => onAnswering(event.target.checked)}
        />
        Answer from this device
      </label>
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
      <div className="rail-footer-row">
        <fieldset className="themes">
          <legend className="hp-visually-hidden">Theme</legend>
          {THEMES.map((name) => {
            const Icon = icons[name];
            return (
              <label key={name} title={names[name]}>
                <input
                  type="radio"
                  name="theme"
                  checked={name === theme}
                  onChange={() => onTheme(name)}
                />
                <Icon aria-hidden />
                <span className="hp-visually-hidden">{names[name]}</span>
              </label>
            );
          })}
        </fieldset>
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
