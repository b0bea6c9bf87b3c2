import type { Texts } from "@holdpoint/react/words";

import type { SESSIONS_TEXTS } from "../english/sessions.ts";

export const SESSIONS: Texts<(typeof SESSIONS_TEXTS)[number]> = {
  Working: "In Arbeit",
  Earlier: "Früher",
  "waiting for you": "wartet auf Sie",
  "parked, waiting for you": "geparkt, wartet auf Sie",
  ended: "beendet",
  working: "arbeitet",
  idle: "ruht",
  "working, with a request to answer": "arbeitet, mit einer Anfrage an Sie",
  "idle, with a request to answer": "ruht, mit einer Anfrage an Sie",
  "Sessions that you start appear here.": "Hier erscheinen Sitzungen, die Sie starten.",
  "Name of the session": "Name der Sitzung",
  Delete: "Löschen",
  "Delete this session?": "Diese Sitzung löschen?",
  "Delete for good": "Endgültig löschen",
  "Deleting…": "Wird gelöscht …",
  "{session} and its whole record will be gone: messages, answers, approvals. A running agent is stopped. Files that it changed stay as they are.":
    "{session} verschwindet samt allem, was dazu gespeichert ist: Nachrichten, Antworten, Freigaben. Ein laufender Agent wird gestoppt. Dateien, die er geändert hat, bleiben, wie sie sind.",
  "Inbox, {n} waiting": "Eingang, {n} offen",
  "Permission mode": "Freigabemodus",
  "Not changed: {trouble}": "Nicht geändert: {trouble}",
  "It holds in this session alone.": "Das gilt nur in dieser Sitzung.",
  "It ends by itself after": "Es endet von selbst nach",
  "{count} minute|{count} minutes": "{count} Minute|{count} Minuten",
  "{count} hour|{count} hours": "{count} Stunde|{count} Stunden",
  "Every device sees how long it lasts, and can end it at once.":
    "Jedes Gerät sieht, wie lange das noch gilt, und kann es sofort beenden.",
  "Keep asking": "Weiter fragen",
  "Allow for {time}": "Für {time} erlauben",
  "Looking for agents…": "Agenten werden gesucht …",
  "{agent} (scripted, no model)": "{agent} (nach Skript, ohne Modell)",
  "Where the agent works. Empty: the gateway’s own choice.":
    "Wo der Agent arbeitet. Leer: wie das Gateway es wählt.",
  Model: "Modell",
  "Empty: the agent’s default.": "Leer: wie der Agent es vorgibt.",
  "Starting…": "Wird gestartet …",
  "Start session": "Sitzung starten",
  Folder: "Ordner",
  "Another folder…": "Anderer Ordner …",
  "Folder: {trouble}": "Ordner: {trouble}",
  "What should be done?": "Was ist zu tun?",
  "First message": "Erste Nachricht",
  "Enter starts a session with this message.": "Enter startet eine Sitzung mit dieser Nachricht.",
  "Start (Enter)": "Starten (Enter)",
  "This agent takes no files. Remove them, or choose another agent.":
    "Dieser Agent nimmt keine Dateien an. Entfernen Sie sie, oder wählen Sie einen anderen Agenten.",
};
