import type { Texts } from "@holdpoint/react/words";

/** Texts of the page's frame: footer, tabs, start page, shortcuts, banners. */
export const SHELL = {
  "The gateway cannot be reached. Your drafts are kept, and pending requests stay open.":
    "Das Gateway ist nicht zu erreichen. Was Sie schreiben, bleibt erhalten, und offene Anfragen bleiben offen.",
  "Offline.": "Offline.",
  "No live updates.": "Keine laufenden Aktualisierungen.",
  "A proxy is holding back the gateway's messages to this page. It must let WebSockets or unbuffered event streams through.":
    "Ein Proxy hält von dieser Seite zurück, was das Gateway sendet. Er muss WebSockets oder ungepufferte Ereignisströme durchlassen.",
  "Try now": "Jetzt versuchen",
  "Holdpoint was updated.": "Holdpoint wurde aktualisiert.",
  Reload: "Neu laden",
  "Not now": "Nicht jetzt",
  "Your sign-in ends {time}": "Ihre Anmeldung endet {time}",
  "Answer from this device": "Hier antworten",
  "Keyboard shortcuts (?)": "Tastenkürzel (?)",
  Theme: "Design",
  Views: "Ansichten",
  Ctrl: "Strg",
  Shift: "Umschalt",
  "Next pending request": "Nächste offene Anfrage",
  "Previous pending request": "Vorige offene Anfrage",
  "Open the command menu": "Das Befehlsmenü öffnen",
  "Find in the session": "In der Sitzung suchen",
  "Undo the answer before the agent gets it":
    "Die Antwort zurücknehmen, die der Agent noch nicht hat",
  "Choose an option in the focused question": "Eine Antwort der Frage wählen, die den Fokus hat",
  "Allow once, on the focused approval": "Einmal erlauben, bei der Freigabe mit dem Fokus",
  "Allow for longer, on the focused approval: shows what that covers":
    "Für länger erlauben, bei der Freigabe mit dem Fokus: zeigt, was das umfasst",
  "Deny, on the focused approval": "Ablehnen, bei der Freigabe mit dem Fokus",
  "Submit the focused card; send a message":
    "Die Karte mit dem Fokus abschicken; eine Nachricht senden",
  "Submit from a multi-line field": "Aus einem mehrzeiligen Feld abschicken",
  "New line in a message": "Neue Zeile in einer Nachricht",
  "Previous or next session in the list, or page link below it":
    "Vorige oder nächste Sitzung der Liste, oder Seite darunter",
  "Close a dialog": "Einen Dialog schließen",
  "Show this list": "Diese Liste",
  "Shortcuts act only on the focused card, and never while you type. A new card never takes the focus.":
    "Tasten wirken nur auf die Karte, die den Fokus hat, und nie, während Sie schreiben. Eine neue Karte nimmt nie den Fokus.",
  "Agents work. When they need you, they stop and ask here.":
    "Agenten arbeiten. Für Entscheidungen halten sie an und fragen hier.",
  "{agent} is not available: {why}": "{agent} ist nicht verfügbar: {why}",
  "the gateway gives no reason": "Das Gateway sagt nicht, warum",
  "The agent works in {folder}.": "Arbeitet in {folder}.",
  "The agent works in {folder}. Tell it what to do.":
    "Arbeitet in {folder}. Sagen Sie, was zu tun ist.",
  "The agent works in {folder}. Tell it what to do, or start with one of these.":
    "Arbeitet in {folder}. Sagen Sie, was zu tun ist, oder beginnen Sie hiermit.",
} satisfies Texts;
