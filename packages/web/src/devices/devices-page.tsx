import { Button, useAnnounce, useOverview, useRole } from "@holdpoint/react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { ColumnPage } from "../column-page.tsx";
import { RenewSignIn } from "../launch/renew-sign-in.tsx";
import { useWords } from "../words/use-words.ts";
import { AddDeviceDialog } from "./add-device-dialog.tsx";
import { AddAgentDialog, AddProgramDialog } from "./add-token-dialog.tsx";
import { DeviceEntry } from "./device-entry.tsx";
import { EndAccessDialog, type Ending } from "./end-access-dialog.tsx";
import { LanguageSection } from "./language-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { AgentEntry, ProgramEntry } from "./token-entries.tsx";

import "../styles/device-footer.css";
import "../styles/devices.css";
import { useCredentials, type Credentials } from "./use-credentials.ts";

type Adding = "device" | "program" | "agent";

/** Everything that can use the gateway as this person, or ask this person. Each access can be ended. */
export function DevicesPage({ inboxToggle }: { readonly inboxToggle: ReactNode }): ReactNode {
  const say = useWords();
  const { shown, trouble, reload } = useCredentials();
  const role = useRole();
  const { person } = useOverview().overview;
  const [adding, setAdding] = useState<Adding>();
  const [ending, setEnding] = useState<Ending>();
  const [endedCount, setEndedCount] = useState(0);
  const announce = useAnnounce();
  const title = useRef<HTMLHeadingElement>(null);
  // The focused button has been removed with its entry.
  useEffect(() => {
    if (endedCount > 0) title.current?.focus();
  }, [endedCount]);
  const finish = (): void => {
    announce(say(ending?.kind === "device" ? "Signed out." : "Revoked."));
    setEnding(undefined);
    setEndedCount((before) => before + 1);
    reload();
  };
  const close = (): void => {
    setAdding(undefined);
    reload();
  };
  return (
    <>
      <ColumnPage
        titleRef={title}
        title={say("Devices and programs")}
        column="devices"
        loaded={shown !== undefined}
        {...{ inboxToggle, trouble }}
      >
        {person?.signInEndsAt !== undefined && (
          <RenewSignIn person={{ ...person, signInEndsAt: person.signInEndsAt }} />
        )}
        {role !== "viewer" && <NotificationsSection />}
        <LanguageSection />
        {shown !== undefined && (
          <Lists
            shown={shown}
            isOwner={role === "owner"}
            onAdd={setAdding}
            onEnd={setEnding}
            onChanged={reload}
          />
        )}
      </ColumnPage>
      {ending !== undefined && (
        <EndAccessDialog ending={ending} onClose={() => setEnding(undefined)} onDone={finish} />
      )}
      {adding === "device" && shown !== undefined && (
        <AddDeviceDialog devices={shown.devices} reload={reload} onClose={close} />
      )}
      {adding === "program" && <AddProgramDialog onClose={close} />}
      {adding === "agent" && <AddAgentDialog onClose={close} />}
    </>
  );
}

interface ListsProps {
  readonly shown: Credentials;
  /** Only owners create and revoke tokens of programs and agents. */
  readonly isOwner: boolean;
  readonly onAdd: (what: Adding) => void;
  readonly onEnd: (what: Ending) => void;
  readonly onChanged: () => void;
}

function Lists(props: ListsProps): ReactNode {
  const say = useWords();
  const { shown, isOwner, onAdd, onEnd, onChanged } = props;
  return (
    <>
      <AccessList
        title={say("Devices")}
        about={say("Browsers that are signed in as you. Each can answer for you.")}
        {...(isOwner && { add: say("Add a device") })}
        onAdd={() => onAdd("device")}
      >
        {shown.devices.map((device) => (
          <DeviceEntry
            key={device.deviceId}
            device={device}
            onChanged={onChanged}
            onSignOut={() => onEnd({ kind: "device", device })}
          />
        ))}
      </AccessList>
      {isOwner && <Tokens {...props} />}
    </>
  );
}

function Tokens({ shown, onAdd, onEnd }: ListsProps): ReactNode {
  const say = useWords();
  const { programs, agents } = shown;
  return (
    <>
      <AccessList
        title={say("Programs")}
        about={say("Your own scripts and pages that use the gateway with a token.")}
        none={say("No program has a token.")}
        add={say("Add a program")}
        onAdd={() => onAdd("program")}
      >
        {programs.map((program) => (
          <ProgramEntry
            key={program.tokenId}
            program={program}
            onRevoke={() => onEnd({ kind: "program", program })}
          />
        ))}
      </AccessList>
      <AccessList
        title={say("Agents")}
        about={say("Agents that you start yourself. Their tokens can ask you, but cannot answer.")}
        none={say("No agent has a token.")}
        add={say("Add an agent")}
        onAdd={() => onAdd("agent")}
      >
        {agents.map((agent) => (
          <AgentEntry
            key={agent.tokenId}
            agent={agent}
            onRevoke={() => onEnd({ kind: "agent", agent })}
          />
        ))}
      </AccessList>
    </>
  );
}

interface AccessListProps {
  readonly title: string;
  readonly about: string;
  /** Shown in place of an empty list. */
  readonly none?: string;
  readonly add?: string;
  readonly onAdd: () => void;
  readonly children: readonly ReactNode[];
}

function AccessList({ title, about, none, add, onAdd, children }: AccessListProps): ReactNode {
  const id = useId();
  return (
    <section className="access-section" aria-labelledby={id}>
      <div className="access-head">
        <h2 id={id}>{title}</h2>
        {add !== undefined && <Button onClick={onAdd}>{add}</Button>}
        <p className="quiet">{about}</p>
      </div>
      {children.length > 0 ? (
        <ul className="access-list">{children}</ul>
      ) : (
        <p className="access-none quiet">{none}</p>
      )}
    </section>
  );
}
