import type { Interaction, InteractionResponse } from "@holdpoint/protocol";
import { Ban, Check, CheckCheck, CircleSlash, OctagonAlert, SkipForward } from "lucide-react";
import type { ReactNode } from "react";

import { ClockTime } from "../../parts/relative-time.tsx";
import { BriefText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { ASKED_AGAIN_WORDS, FAILURE_WORDS } from "../shared/answer-words.ts";
import type { AnsweredState } from "../shared/card-state.ts";
import { deliveryWords, toStateWords } from "../shared/card-words.ts";
import { CompletedSummary } from "./completed-summary.tsx";
import { PastCard } from "./past-card.tsx";
import { peopleWords } from "./people-words.ts";

export interface CompletedCardProps {
  readonly interaction: Interaction;
  readonly state: AnsweredState;
  readonly askedAgain: boolean;
}

/** An answered interaction: the answer, its person, time and device. Opens to the request. */
export function CompletedCard({ interaction, state, askedAgain }: CompletedCardProps): ReactNode {
  const { response, by, how, failure } = state;
  const unknown = how === "unknown";
  const say = useWords();
  const { headline, detail } = toStateWords(state, say);
  const failed = failure !== undefined;
  const delivery = failed ? FAILURE_WORDS : askedAgain ? ASKED_AGAIN_WORDS : deliveryWords(state);
  return (
    <PastCard
      interaction={interaction}
      response={response}
      tone={failed ? "no" : askedAgain || unknown ? "past" : toneOf(response)}
      name={headline}
      icon={
        failed ? <OctagonAlert /> : iconOf(response, how !== undefined && !unknown && !askedAgain)
      }
      meta={
        <>
          <span className="hp-done-headline">
            {headline}
            {by !== undefined && (
              <>
                {" · "}
                <ClockTime at={by.at} />
              </>
            )}
          </span>
          <span className="hp-done-delivery">
            <BriefText text={peopleWords(interaction, state, say)} /> · {say(delivery)}
          </span>
        </>
      }
    >
      <CompletedSummary interaction={interaction} response={response} />
      {failed && detail !== undefined && (
        <span className="hp-done-failure">
          <BriefText text={detail} />
        </span>
      )}
    </PastCard>
  );
}

function toneOf(response: InteractionResponse | undefined): "ok" | "no" | "past" {
  switch (response?.action) {
    case "approve":
    case "submit":
      return "ok";
    case "deny":
      return "no";
    case "cancel":
    case undefined:
      return "past";
  }
}

function iconOf(response: InteractionResponse | undefined, delivered: boolean): ReactNode {
  switch (response?.action) {
    case "approve":
    case "submit":
      return delivered ? <CheckCheck /> : <Check />;
    case "deny":
      return <Ban />;
    case "cancel":
      return <SkipForward />;
    case undefined:
      return <CircleSlash />;
  }
}
