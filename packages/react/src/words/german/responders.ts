import type { Texts } from "../text.ts";

/** Texts about possible responders and votes. */
export const RESPONDERS = {
  "Who can answer: {people}.": "Antworten können: {people}.",
  "everyone in {group}": "alle in {group}",
  "{people}, limited to {others}": "{people}, und davon nur {others}",
  "{count} people must allow it, exactly as shown.":
    "{count} Personen müssen es erlauben, genau so, wie es gezeigt wird.",
  "Allowed so far by {people}.": "Bisher erlaubt von {people}.",
  "One more is needed.|{count} more are needed.": "Es fehlt noch eine.|Es fehlen noch {count}.",
  "From {when} also {people}.": "Ab {when} auch {people}.",
  "You have allowed it. You can still deny it.":
    "Sie haben es erlaubt. Ablehnen können Sie es noch.",
  "You asked for this, so someone else must allow it.":
    "Sie haben das beauftragt, also muss es jemand anders erlauben.",
  "Only people signed in with an issuer can allow it.":
    "Erlauben kann es nur, wer sich bei einem Anmeldedienst angemeldet hat.",
  "No one can allow it: approval requires people signed in with an issuer, and the gateway has no issuer.":
    "Das kann niemand erlauben: Es braucht Personen, die sich bei einem Anmeldedienst angemeldet haben, und das Gateway hat keinen.",
  "No one can allow it: someone other than the requester must, and the requester is not signed in with an issuer.":
    "Das kann niemand erlauben: Es muss jemand anders sein als der Auftraggeber, und der hat sich bei keinem Anmeldedienst angemeldet.",
  "No one can allow it: it requires more people than are named.":
    "Das kann niemand erlauben: Es braucht mehr Personen, als genannt sind.",
  "No one can allow it: the issuer of the named people is not specified.":
    "Das kann niemand erlauben: Es ist nicht gesagt, bei welchem Anmeldedienst sich die Personen anmelden.",
  "Allowed by {people}": "Erlaubt von {people}",
} satisfies Texts;
