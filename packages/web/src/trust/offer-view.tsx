import type { FolderOffer, FolderTrust } from "@holdpoint/protocol";
import {
  Button,
  MissingWords,
  SaidText,
  useAnnounce,
  UnshownContext,
  useTransport,
  useUnshownParts,
  VisibleText,
} from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";
import { OfferedFile } from "./offered-file.tsx";
import { useSettled } from "./use-settled.ts";

interface OfferViewProps {
  readonly path: string;
  readonly offer: FolderOffer;
  readonly onTrusted: (folder: FolderTrust) => void;
}

/** Everything that would be loaded if the person trusts it, and the button for that. Remounted when the files change. */
export function OfferView({ path, offer, onTrusted }: OfferViewProps): ReactNode {
  const say = useWords();
  const { hash, files, removed, packages, settings, problem, said } = offer;
  const [unshown, onUnshown] = useUnshownParts();
  const { trusting, trouble, trust } = useTrust(path, hash, onTrusted);
  const isSettled = useSettled();
  return (
    <UnshownContext value={onUnshown}>
      <p>
        {say(
          "Trust these files only if you know what they do. The gateway runs them, and they can do anything that you can do on this machine. If one changes, you are asked again.",
        )}
      </p>
      {settings.length > 0 && <Settings settings={settings} />}
      {removed.length > 0 && (
        <p>
          {say("Deleted files:")} <VisibleText exact text={removed.join(", ")} />
        </p>
      )}
      <ul className="folder-files">
        {files.map((file) => (
          <OfferedFile key={file.path} file={file} />
        ))}
      </ul>
      {packages.length > 0 && (
        <p>
          {say(
            "They import packages. The content of packages is not shown here, and may change without a question:",
          )}{" "}
          <VisibleText exact text={packages.join(", ")} />
        </p>
      )}
      {problem !== undefined && (
        <p className="field-error" role="alert">
          <SaidText text={problem} said={said?.["problem"]} />
        </p>
      )}
      <div className="folder-actions">
        <Button
          tone="primary"
          blocked={!isSettled || trusting || unshown !== undefined || problem !== undefined}
          aria-describedby="folder-hint"
          onClick={() => void trust()}
        >
          {say("Trust and load these files")}
        </Button>
        <span id="folder-hint" className="quiet">
          <MissingWords words={unshown?.words} moves={unshown?.moves} />
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

function Settings({ settings }: Pick<FolderOffer, "settings">): ReactNode {
  const say = useWords();
  return (
    <ul className="folder-settings" aria-label={say("Changed settings")}>
      {settings.map(({ name, now, value }) => (
        <li key={name}>
          <code>
            <VisibleText exact text={name} />
          </code>{" "}
          {say("becomes")}{" "}
          <code>
            <VisibleText exact text={value} />
          </code>{" "}
          {now !== undefined &&
            say.rich("(now {value})", { value: <VisibleText exact text={now} /> })}
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
  const say = useWords();
  const toTrouble = useTrouble();
  const transport = useTransport();
  const announce = useAnnounce();
  const [trusting, setTrusting] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const trust = async (): Promise<void> => {
    setTrusting(true);
    setTrouble(undefined);
    try {
      const folder = await transport.trustFolder({ path, hash });
      onTrusted(folder);
      const isWhole = folder.failed.length === 0;
      announce(say(isWhole ? "The files are loaded." : "Some files could not be loaded."));
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
    }
    setTrusting(false);
  };
  return { trusting, trouble, trust };
}
