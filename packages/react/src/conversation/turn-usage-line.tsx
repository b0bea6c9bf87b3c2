import type { TurnUsage } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { useWords, type Say } from "../words/use-words.ts";

/** The usage of a turn, shown unobtrusively at its end. */
export function TurnUsageLine({ usage }: { readonly usage: TurnUsage }): ReactNode {
  const say = useWords();
  const { inputTokens, outputTokens, costUsd } = usage;
  const tokens = say("{amount} tokens", {
    amount: toShortNumber(inputTokens + outputTokens, say.language.locale),
  });
  return (
    <p className="hp-turn-usage">
      <span title={toDetails(usage, say)}>
        {tokens}
        {costUsd !== undefined && ` · ${toMoney(costUsd, say.language.locale)}`}
      </span>
      <span className="hp-visually-hidden">{toDetails(usage, say)}</span>
    </p>
  );
}

function toDetails(
  { inputTokens, cachedTokens, outputTokens, costUsd }: TurnUsage,
  say: Say,
): string {
  const tokens = say("Read {read}, of it {cached} from the cache; wrote {written}.", {
    read: inputTokens,
    cached: cachedTokens,
    written: outputTokens,
  });
  return costUsd === undefined
    ? tokens
    : `${tokens} ${say("The cost is the agent’s own estimate, and no bill.")}`;
}

/** A short number, such as 12.3k. */
export function toShortNumber(amount: number, locale: string | undefined): string {
  const [unit, factor] = amount < 1000 ? ["", 1] : amount < 999_950 ? ["k", 1e3] : ["M", 1e6];
  const digits = { maximumFractionDigits: factor === 1 ? 0 : 1 };
  return `${(amount / factor).toLocaleString(locale, digits)}${unit}`;
}

/** An amount such as $0.04. Amounts below one cent are shown as less than a cent. */
export function toMoney(usd: number, locale: string | undefined): string {
  const isSmall = usd < 0.01;
  const words = (isSmall ? 0.01 : usd).toLocaleString(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
  });
  return isSmall ? `< ${words}` : words;
}
