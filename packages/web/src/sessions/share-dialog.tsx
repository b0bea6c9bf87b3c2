import type { GivenGroup, Session } from "@holdpoint/protocol";
import { BriefText, Button, useOverview, useRole, useTransport } from "@holdpoint/react";
import { useEffect, useState, type FormEvent, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";

import "../styles/give.css";
import { useTrouble } from "../words/use-trouble.ts";
import { useWords } from "../words/use-words.ts";

interface ShareDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** The person a session belongs to, and the groups that also see it. That person and owners can change it here. */
export function ShareDialog({ session, onClose }: ShareDialogProps): ReactNode {
  const say = useWords();
  const role = useRole();
  const { overview } = useOverview();
  const { sessionId } = session;
  const { belongsTo, givenTo = [] } =
    overview.sessions.find((one) => one.sessionId === sessionId) ?? session;
  const isOwn = belongsTo?.personId === overview.person?.personId;
  const mayGive = belongsTo !== undefined && (role === "owner" || isOwn);
  return (
    <Dialog title={say("Who can see this session")} onClose={onClose}>
      {belongsTo === undefined ? (
        <p>{say("Everyone with access to this gateway can see it.")}</p>
      ) : (
        <p>
          {say.rich("It belongs to {person}.", {
            person: (
              <strong>
                <BriefText text={belongsTo.person} exact />
              </strong>
            ),
          })}{" "}
          {say("Owners see every session.")}
        </p>
      )}
      {mayGive ? (
        <GroupChoice sessionId={sessionId} givenTo={givenTo} onClose={onClose} />
      ) : (
        <>
          {givenTo.length > 0 && <p>{say("These groups can also see it:")}</p>}
          <ul>
            {givenTo.map((given) => (
              <li key={keyOf(given)}>
                <BriefText text={given.group} exact />
              </li>
            ))}
          </ul>
          <div className="dialog-actions">
            <Button onClick={onClose}>{say("Close")}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

interface GroupChoiceProps {
  readonly sessionId: string;
  readonly givenTo: readonly GivenGroup[];
  readonly onClose: () => void;
}

function GroupChoice({ sessionId, givenTo, onClose }: GroupChoiceProps): ReactNode {
  const say = useWords();
  const toTrouble = useTrouble();
  const transport = useTransport();
  const [chosen, setChosen] = useState<readonly GivenGroup[]>(givenTo);
  const [saving, setSaving] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const { known, unread } = useGroups();
  const shown = trouble ?? unread;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSaving(true);
    setTrouble(undefined);
    try {
      await transport.giveSession(sessionId, { groups: [...chosen] });
      onClose();
    } catch (error: unknown) {
      setTrouble(toTrouble(error).text);
      setSaving(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <GroupBoxes groups={[...givenTo, ...(known ?? [])]} chosen={chosen} onChoose={setChosen} />
      {known?.length === 0 && givenTo.length === 0 && (
        <p className="quiet">{say("There are no groups in the config or your sign-in.")}</p>
      )}
      {shown !== undefined && (
        <p className="field-error" role="alert">
          {shown}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>{say("Cancel")}</Button>
        <Button type="submit" tone="primary" blocked={saving || known === undefined}>
          {say("Save")}
        </Button>
      </div>
    </form>
  );
}

/** The groups to choose from, or the reason why they could not be loaded. */
function useGroups(): {
  readonly known: readonly GivenGroup[] | undefined;
  readonly unread: string | undefined;
} {
  const transport = useTransport();
  const toTrouble = useTrouble();
  const [known, setKnown] = useState<readonly GivenGroup[]>();
  const [unread, setUnread] = useState<string>();
  useEffect(() => {
    const aborted = new AbortController();
    transport.listGroups({ signal: aborted.signal }).then(
      ({ items }) => setKnown(items),
      (error: unknown) => {
        if (!aborted.signal.aborted) setUnread(toTrouble(error).text);
      },
    );
    return () => aborted.abort();
  }, [transport, toTrouble]);
  return { known, unread };
}

interface GroupBoxesProps {
  /** May contain the same group twice. */
  readonly groups: readonly GivenGroup[];
  readonly chosen: readonly GivenGroup[];
  readonly onChoose: (chosen: readonly GivenGroup[]) => void;
}

function GroupBoxes({ groups, chosen, onChoose }: GroupBoxesProps): ReactNode {
  const say = useWords();
  const byKey = new Map(groups.map((each) => [keyOf(each), each]));
  const hasOneIssuer = new Set(groups.map(({ issuer }) => issuer)).size < 2;
  return (
    <fieldset className="given">
      <legend>{say("These groups can also see it and work with it:")}</legend>
      {[...byKey].map(([key, given]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={chosen.some((one) => keyOf(one) === key)}
            onChange={({ target }) => {
              const others = chosen.filter((one) => keyOf(one) !== key);
              onChoose(target.checked ? [...others, given] : others);
            }}
          />
          <span>
            <BriefText text={given.group} exact />
            {!hasOneIssuer && (
              <span className="quiet">
                {" · "}
                <BriefText text={new URL(given.issuer).host} exact />
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function keyOf({ group, issuer }: GivenGroup): string {
  return JSON.stringify([issuer, group]);
}
