import type { FolderOffer, FolderTrust } from "@holdpoint/protocol";
import {
  Button,
  toCallTroubleWords,
  UnshownContext,
  useAnnounce,
  useTransport,
  useUnshownParts,
  VisibleText,
} from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { isLong, OfferedFile } from "./offered-file.tsx";
import { useSettled } from "./use-settled.ts";

interface OfferViewProps {
  readonly path: string;
  readonly offer: FolderOffer;
  readonly onTrusted: (folder: FolderTrust) => void;
}

/** Everything that a yes would load, and the yes. Made anew for each content. */
export function OfferView({ path, offer, onTrusted }: OfferViewProps): ReactNode {
  const { hash, files, removed, packages, settings, problem } = offer;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const unopened = files.filter((file) => isLong(file) && !opened.has(file.path));
  const { trusting, trouble, trust } = useTrust(path, hash, onTrusted);
  const isSettled = useSettled();
  const [unshown, onUnshown] = useUnshownParts();
  const hint = toHint(unopened.length, unshown);
  return (
    <UnshownContext value={onUnshown}>
      <p>
        Trust these files only if you know what they do. The gateway runs them, and they can do
        whatever you can do on this machine. When one changes, you are asked again.
      </p>
      {settings.length > 0 && <Settings settings={settings} />}
      {removed.length > 0 && <Gone names={removed} />}
      <ul className="folder-files">
        {files.map((file) => (
          <OfferedFile
            key={file.path}
            file={file}
            onOpen={() => setOpened((before) => new Set([...before, file.path]))}
          />
        ))}
      </ul>
      {packages.length > 0 && (
        <p>
          They import packages, whose content is not shown here and may change without a question:{" "}
          <VisibleText text={packages.join(", ")} exact />
        </p>
      )}
      {problem !== undefined && <Problem text={problem} />}
      <div className="folder-actions">
        <Button
          tone="primary"
          blocked={!isSettled || trusting || hint !== undefined || problem !== undefined}
          aria-describedby="folder-hint"
          onClick={() => void trust()}
        >
          Trust and load these files
        </Button>
        <span id="folder-hint" className="quiet">
          {hint}
        </span>
      </div>
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
    </UnshownContext>
  );
}

/** What has to be seen before the yes. */
function toHint(unopened: number, unshown: string | undefined): string | undefined {
  if (unopened > 0) return `Open the long files first: ${unopened} left.`;
  return unshown === undefined ? undefined : "Show the rest of each text first.";
}

function Gone({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <p>
      Gone: <VisibleText text={names.join(", ")} exact />
    </p>
  );
}

function Problem({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="field-error" role="alert">
      <VisibleText text={text} />
    </p>
  );
}

function Settings({ settings }: Pick<FolderOffer, "settings">): ReactNode {
  return (
    <ul className="folder-settings" aria-label="Settings that change">
      {settings.map(({ name, now, value }) => (
        <li key={name}>
          <code>
            <VisibleText text={name} exact />
          </code>{" "}
          becomes{" "}
          <code>
            <VisibleText text={value} exact />
          </code>
          {now !== undefined && (
            <>
              {" "}
              (now <VisibleText text={now} exact />)
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

interface Trust {
  readonly trusting: boolean;
  readonly trouble: string | undefined;
  readonly trust: () => Promise<void>;
}

function useTrust(path: string, hash: string, onTrusted: (folder: FolderTrust) => void): Trust {
  const transport = useTransport();
  const announce = useAnnounce();
  const [trusting, setTrusting] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const trust = async (): Promise<void> => {
    setTrusting(true);
    setTrouble(undefined);
    try {
      onTrusted(await transport.trustFolder({ path, hash }));
      announce("The files are loaded.");
    } catch (error: unknown) {
      const { title, wayOut } = toCallTroubleWords(error);
      setTrouble(`${title} ${wayOut}`);
    }
    setTrusting(false);
  };
  return { trusting, trouble, trust };
}
