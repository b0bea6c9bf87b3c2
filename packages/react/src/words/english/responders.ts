/** Texts about possible responders and votes. */
export const RESPONDERS_TEXTS = [
  "Who can answer: {people}.",
  "everybody in {group}",
  "{people}, and of these only {others}",
  "{count} people have to allow it, exactly as it is shown.",
  "Allowed so far by {people}.",
  "One more is needed.|{count} more are needed.",
  "From {when} also {people}.",
  "You have allowed it. You can still deny it.",
  "You asked for this, so somebody else has to allow it.",
  "Only people who have signed in at an issuer can allow it.",
  "Nobody can allow it: it needs people who have signed in at an issuer, and the gateway has none.",
  "Nobody can allow it: somebody else than who asked for it has to, and who asked has not signed in at an issuer.",
  "Nobody can allow it: it needs more people than it names.",
  "Nobody can allow it: it does not say at which of the issuers its people sign in.",
  "Allowed by {people}",
] as const;
