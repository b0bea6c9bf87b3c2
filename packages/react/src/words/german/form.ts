import type { Texts } from "../text.ts";

/** Texts of the form card. */
export const FORM = {
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
  "Show typed text": "Eingabe zeigen",
  Expand: "Vergrößern",
  "sent to the agent only": "angegeben und nur dem Agenten gezeigt",
  "Not given": "Nicht angegeben",
  Yes: "Ja",
  No: "Nein",
  "Fields to fix": "Was zu berichtigen ist",
  "Fix {count} field|Fix {count} fields": "{count} Feld berichtigen|{count} Felder berichtigen",
  optional: "freiwillig",
  required: "nötig",
  "Clear selection": "Auswahl aufheben",
  "This request comes from the MCP server {server}, not the agent.":
    "Das fragt der MCP-Server {server}, nicht der Agent.",
  "It asks for a secret in a form. MCP servers must not do that. Be careful.":
    "Er fragt in einem Formular nach einem Geheimnis, was solche Server nicht dürfen. Überlegen Sie es sich gut.",
  "It goes through the agent’s program to the server. It is not shown again or stored here.":
    "Es geht durch das Programm des Agenten an den Server. Hier wird es nicht wieder gezeigt und nicht gespeichert.",
  "sent to the server, not stored here": "dem Server gegeben und hier nicht aufbewahrt",
  "Open the page yourself and press Done when you have finished there.":
    "Drücken Sie Fertig, wenn Sie dort getan haben, was verlangt ist; niemand öffnet die Seite für Sie.",
  "Decline refuses the server's request. Cancel leaves it undecided.":
    "Ablehnen sagt dem Server Nein. Abbrechen sagt ihm, dass Sie sich nicht entschieden haben.",
  "This name contains letters that browsers may display as different ones. It may only look like a name you know.":
    "Dieser Name hat Buchstaben, die Browser anders zeigen können. Er sieht vielleicht nur aus wie einer, den Sie kennen.",
  "This page is on the machine that runs the gateway. On another device, the address points to that device.":
    "Diese Seite ist auf dem Rechner des Gateways. Auf einem anderen Gerät führt die Adresse zu diesem Gerät selbst.",
  "Open this page in a new tab": "Diese Seite in einem neuen Tab öffnen",
  "The page": "Die Seite",
  Decline: "Ablehnen",
} satisfies Texts;
