import type { Texts } from "@holdpoint/react/words";

/** Texts that several parts of the page use. */
export const PAGE = {
  Holdpoint: "Holdpoint",
  "Skip to content": "Zum Inhalt springen",
  "Skip to the pending request": "Zur offenen Anfrage springen",
  Keep: "Behalten",
  "Show more ({n})": "Mehr zeigen ({n})",
  "Loading…": "Wird geladen …",
  now: "jetzt",
  "{n} m": "{n} Min.",
  "{n} h": "{n} Std.",
  never: "noch nicht",
  Agent: "Agent",
  "New session": "Neue Sitzung",
  Rename: "Umbenennen",
  "Rename {name}": "{name} umbenennen",
  Revoke: "Widerrufen",
  "Revoke {name}": "{name} widerrufen",
  "Revoking…": "Wird widerrufen …",
  "Last used": "Zuletzt benutzt",
  Ends: "Endet",
  "Ends after": "Endet nach",
  "in {count} minute|in {count} minutes": "in {count} Minute|in {count} Minuten",
  "in {count} hour|in {count} hours": "in {count} Stunde|in {count} Stunden",
  "in {count} day|in {count} days": "in {count} Tag|in {count} Tagen",
  "This page has stopped working": "Diese Seite läuft nicht mehr",
  "The gateway and its agents keep running, and what you typed is kept. If the gateway was updated or could not be reached, load the page again.":
    "Das Gateway und seine Agenten laufen weiter, und was Sie geschrieben haben, bleibt erhalten. Wurde das Gateway aktualisiert oder war es nicht zu erreichen, laden Sie die Seite neu.",
  "Load the page again": "Seite neu laden",
  "Nothing to answer": "Nichts zu beantworten",
  "This request does not exist. Its session was deleted, or the link is wrong.":
    "Diese Anfrage gibt es nicht mehr: Ihre Sitzung wurde gelöscht, oder der Link ist falsch.",
  "Open the conversation": "Unterhaltung öffnen",
} satisfies Texts;
