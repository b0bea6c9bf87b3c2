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
  "Show what was typed": "Eingabe zeigen",
  Expand: "Vergrößern",
  "given, and shown only to the agent": "angegeben und nur dem Agenten gezeigt",
  "Not given": "Nicht angegeben",
  Yes: "Ja",
  No: "Nein",
  "What to correct": "Was zu berichtigen ist",
  "Fix {count} field|Fix {count} fields": "{count} Feld berichtigen|{count} Felder berichtigen",
  optional: "freiwillig",
  required: "nötig",
  "Clear the choice": "Auswahl aufheben",
  "The MCP server {server} asks this, not the agent.":
    "Das fragt der MCP-Server {server}, nicht der Agent.",
  "It asks for a secret in a form, which such servers must not do. Think twice.":
    "Er fragt in einem Formular nach einem Geheimnis, was solche Server nicht dürfen. Überlegen Sie es sich gut.",
  "It goes through the agent’s program to the server. It is not shown again or stored here.":
    "Es geht durch das Programm des Agenten an den Server. Hier wird es nicht wieder gezeigt und nicht gespeichert.",
  "given to the server, and not kept here": "dem Server gegeben und hier nicht aufbewahrt",
  "Press Done when you have done there what it asks; nobody opens it for you.":
    "Drücken Sie Fertig, wenn Sie dort getan haben, was verlangt ist; niemand öffnet die Seite für Sie.",
  "Decline tells the server no. Cancel tells it that you have not decided.":
    "Ablehnen sagt dem Server Nein. Abbrechen sagt ihm, dass Sie sich nicht entschieden haben.",
  "This name has letters that browsers may show as others. It may only look like one you know.":
    "Dieser Name hat Buchstaben, die Browser anders zeigen können. Er sieht vielleicht nur aus wie einer, den Sie kennen.",
  "This page is on the gateway’s own machine. On another device the address leads to that device itself.":
    "Diese Seite ist auf dem Rechner des Gateways. Auf einem anderen Gerät führt die Adresse zu diesem Gerät selbst.",
  "Open this page in a new tab": "Diese Seite in einem neuen Tab öffnen",
  "The page": "Die Seite",
  Decline: "Ablehnen",
} satisfies Texts;
