import type { Texts } from "../text.ts";

/** Texts about failed calls to the gateway. */
export const TROUBLE = {
  "The gateway cannot be reached": "Das Gateway ist nicht zu erreichen",
  "Try again when the connection is back.":
    "Versuchen Sie es noch einmal, wenn die Verbindung wieder da ist.",
  "Something went wrong in this page": "In dieser Seite ging etwas schief",
  "Try again, or reload the page.": "Versuchen Sie es noch einmal, oder laden Sie die Seite neu.",
  "This browser is no longer signed in": "Dieser Browser ist nicht mehr angemeldet",
  "Open a new launch link from the terminal that runs the gateway.":
    "Öffnen Sie einen neuen Startlink aus dem Terminal, in dem das Gateway läuft.",
  "The gateway is stopping": "Das Gateway beendet sich gerade",
  "No node of the gateway is working": "Gerade arbeitet kein Knoten des Gateways",
  "Try again in a moment.": "Versuchen Sie es gleich noch einmal.",
  "The gateway could not store this": "Das Gateway konnte das nicht speichern",
  "Its disk may be full or its database unavailable. Run `holdpoint doctor` for details.":
    "Vielleicht ist seine Festplatte voll oder seine Datenbank weg; `holdpoint doctor` sagt mehr.",
  "Too many requests": "Zu viele Anfragen",
  "The gateway stores too many files": "Das Gateway bewahrt zu viele Dateien auf",
  "Delete sessions with files that you no longer need.":
    "Löschen Sie Sitzungen, die Dateien haben und nicht gebraucht werden.",
  "This is too long": "Das ist zu lang",
  "Shorten it, or put it in a file.": "Kürzen Sie es, oder legen Sie es in eine Datei.",
  "This no longer exists": "Das gibt es nicht mehr",
  "It was deleted or has ended.": "Es wurde gelöscht oder ist zu Ende.",
  "The gateway refused the request": "Das Gateway hat abgelehnt",
  "Change it and try again.": "Ändern Sie es, und versuchen Sie es noch einmal.",
} satisfies Texts;
