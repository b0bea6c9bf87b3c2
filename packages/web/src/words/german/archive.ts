import type { Texts } from "@holdpoint/react/words";

/** Texts about archiving sessions and giving them to groups. */
export const ARCHIVE = {
  Archive: "Archivieren",
  "Who can see it": "Wer sie sieht",
  Save: "Speichern",
  "Who can see this session": "Wer diese Sitzung sieht",
  "Everyone with access to this gateway can see it.": "Alle, die hereinkommen, sehen sie.",
  "It belongs to {person}.": "Sie gehört {person}.",
  "Owners see every session.": "Eigentümer sehen jede Sitzung.",
  "These groups can also see it:": "Auch diese Gruppen sehen sie:",
  "These groups can also see it and work with it:":
    "Auch diese Gruppen sehen sie und arbeiten mit ihr:",
  "There are no groups in the config or your sign-in.":
    "Die Konfiguration und Ihre Anmeldung nennen keine Gruppen.",
  "Actions for {name}": "Aktionen für {name}",
  new: "neu",
  "Archiving…": "Wird archiviert …",
  Archived: "Archiv",
  "Archive this session?": "Diese Sitzung archivieren?",
  "Cannot be archived yet": "Das geht noch nicht",
  "is working or waiting for your answer. Stop it or let it finish first.":
    "arbeitet oder wartet auf Ihre Antwort. Halten Sie die Sitzung an oder lassen Sie sie zuerst fertig werden.",
  "At least one request can still be answered in": "Etwas kann noch beantwortet werden in",
  "It stays in the inbox, and the session stays in the list until it is answered.":
    "Es bleibt im Posteingang, und die Sitzung steht bis dahin in der Liste.",
  "Archived. A message restores it.": "Archiviert. Eine Nachricht holt die Sitzung zurück.",
  Restore: "Zurückholen",
  "Restore {name}": "{name} zurückholen",
  "Session restored": "Zurückgeholt",
  "Archived sessions. A message restores a session.":
    "Weggelegte Sitzungen. Eine Nachricht holt eine zurück.",
  "Search archived sessions": "Archivierte Sitzungen durchsuchen",
  "Title or directory": "Titel oder Verzeichnis",
  "No archived sessions": "Nichts ist archiviert.",
  "No archived sessions match your search": "Nichts Archiviertes enthält diese Wörter.",
} satisfies Texts;
