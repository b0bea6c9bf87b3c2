import type { FORM_TEXTS } from "../english/form.ts";
import type { Texts } from "../text.ts";

export const FORM: Texts<(typeof FORM_TEXTS)[number]> = {
  "Only the agent gets this. It is not shown again or stored.":
    "Das bekommt nur der Agent. Es wird nicht wieder gezeigt und nicht gespeichert.",
  "In this device’s time zone, UTC{offset}.": "In der Zeitzone dieses Geräts, UTC{offset}.",
  "Choose {least} to {most}.": "Wählen Sie {least} bis {most}.",
  "Choose {n}.": "Wählen Sie {n}.",
  "From {least} to {most}.": "Von {least} bis {most}.",
  "{n} or more.": "{n} oder mehr.",
  "{n} or less.": "{n} oder weniger.",
  "Nothing to fill in.": "Nichts auszufüllen.",
  "Choose…": "Wählen …",
  "No answer": "Keine Antwort",
  "Show what was typed": "Eingabe zeigen",
  "Read in a larger field": "In einem größeren Feld lesen",
  "Write in a larger field": "In einem größeren Feld schreiben",
  "given, and shown only to the agent": "angegeben und nur dem Agenten gezeigt",
  "Not given": "Nicht angegeben",
  Yes: "Ja",
  No: "Nein",
  "What to correct": "Was zu berichtigen ist",
  "{count} field to correct|{count} fields to correct":
    "{count} Feld zu berichtigen|{count} Felder zu berichtigen",
  optional: "freiwillig",
  required: "nötig",
  "Clear the choice": "Auswahl aufheben",
};
