import { useNow, useOverview } from "@holdpoint/react";
import { LogIn } from "lucide-react";
import type { ReactNode } from "react";

import { Link } from "../link.tsx";
import { useWords } from "../words/use-words.ts";

const SOON_MS = 2 * 24 * 60 * 60 * 1000;
const REFRESH_MS = 60_000;

/** Reminds a person whose sign-in at an issuer ends soon to renew it. */
export function SignInEnd(): ReactNode {
  const say = useWords();
  const { signInEndsAt } = useOverview().overview.person ?? {};
  const now = useNow(REFRESH_MS);
  if (signInEndsAt === undefined || Date.parse(signInEndsAt) - now > SOON_MS) return null;
  const format = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  const time = new Date(signInEndsAt).toLocaleString(say.language.locale, format);
  return (
    <Link to={{ name: "devices" }} className="rail-grants sign-in-end">
      <LogIn aria-hidden />
      {say("Your sign-in ends {time}", { time })}
    </Link>
  );
}
