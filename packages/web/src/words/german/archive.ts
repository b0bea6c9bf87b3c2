import type { Texts } from "@holdpoint/react/words";

/** Texts about archiving sessions and giving them to groups. */
export const ARCHIVE = {
  Archive: "Archivieren",
  "Who sees it": "Wer sie sieht",
  Save: "Speichern",
  "Who sees this session": "Wer diese Sitzung sieht",
  "Everybody who comes in sees it.": "Alle, die hereinkommen, sehen sie.",
  "It belongs to {person}.": "Sie gehört {person}.",
  "Owners see every session.": "Eigentümer sehen jede Sitzung.",
  "These groups see it as well:": "Auch diese Gruppen sehen sie:",
  "These groups see it as well, and work with it:":
    "Auch diese Gruppen sehen sie und arbeiten mit ihr:",
  "The config and your sign-in name no groups.":
    "Die Konfiguration und Ihre Anmeldung nennen keine Gruppen.",
  "Actions for {name}": "Aktionen für {name}",
  new: "neu",
  "Archiving…": "Wird archiviert …",
  Archived: "Archiv",
  "Archive this session?": "Diese Sitzung archivieren?",
  "It cannot be archived yet": "Das geht noch nicht",
  "works, or waits for your answer. Stop it or let it finish first.":
    "arbeitet oder wartet auf Ihre Antwort. Halten Sie die Sitzung an oder lassen Sie sie zuerst fertig werden.",
  "Something can still be answered in": "Etwas kann noch beantwortet werden in",
  "It stays in the inbox, and the session is listed until then.":
    "Es bleibt im Posteingang, und die Sitzung steht bis dahin in der Liste.",
  "Archived. A message takes it back.": "Archiviert. Eine Nachricht holt die Sitzung zurück.",
  "Take back": "Zurückholen",
  "Take back {name}": "{name} zurückholen",
  "Taken back": "Zurückgeholt",
  "Sessions that were put away. A message takes one back.":
    "Weggelegte Sitzungen. Eine Nachricht holt eine zurück.",
  "Search the archived sessions": "Archivierte Sitzungen durchsuchen",
  "Title or directory": "Titel oder Verzeichnis",
  "Nothing is archived.": "Nichts ist archiviert.",
  "Nothing archived has these words.": "Nichts Archiviertes enthält diese Wörter.",
} satisfies Texts;
