import type { Texts } from "../text.ts";

/** Texts about possible responders and votes. */
export const RESPONDERS = {
  "Who can answer: {people}.": "Antworten können: {people}.",
  "everybody in {group}": "alle in {group}",
  "{people}, and of these only {others}": "{people}, und davon nur {others}",
  "{count} people have to allow it, exactly as it is shown.":
    "{count} Personen müssen es erlauben, genau so, wie es gezeigt wird.",
  "Allowed so far by {people}.": "Bisher erlaubt von {people}.",
  "One more is needed.|{count} more are needed.": "Es fehlt noch eine.|Es fehlen noch {count}.",
  "From {when} also {people}.": "Ab {when} auch {people}.",
  "You have allowed it. You can still deny it.":
    "Sie haben es erlaubt. Ablehnen können Sie es noch.",
  "You asked for this, so somebody else has to allow it.":
    "Sie haben das beauftragt, also muss es jemand anders erlauben.",
  "Only people who have signed in at an issuer can allow it.":
    "Erlauben kann es nur, wer sich bei einem Anmeldedienst angemeldet hat.",
  "Nobody can allow it: it needs people who have signed in at an issuer, and the gateway has none.":
    "Das kann niemand erlauben: Es braucht Personen, die sich bei einem Anmeldedienst angemeldet haben, und das Gateway hat keinen.",
  "Nobody can allow it: somebody else than who asked for it has to, and who asked has not signed in at an issuer.":
    "Das kann niemand erlauben: Es muss jemand anders sein als der Auftraggeber, und der hat sich bei keinem Anmeldedienst angemeldet.",
  "Nobody can allow it: it needs more people than it names.":
    "Das kann niemand erlauben: Es braucht mehr Personen, als genannt sind.",
  "Nobody can allow it: it does not say at which of the issuers its people sign in.":
    "Das kann niemand erlauben: Es ist nicht gesagt, bei welchem Anmeldedienst sich die Personen anmelden.",
  "Allowed by {people}": "Erlaubt von {people}",
} satisfies Texts;
