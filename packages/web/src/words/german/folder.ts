import type { Texts } from "@holdpoint/react/words";

/** Texts about the files that the gateway loads. */
export const FOLDER = {
  "Files of the directory": "Dateien des Verzeichnisses",
  "Files in {folder} have changed. The changes are not loaded until you trust them.":
    "In {folder} haben sich Dateien geändert. Die Änderung wird nicht geladen, bevor Sie ihr vertrauen.",
  "Nothing is loaded from {folder} until you trust it.":
    "Aus {folder} wird nichts geladen, bevor Sie ihm vertrauen.",
  "Review the files": "Dateien ansehen",
  "No new files can be loaded.": "Nichts Neues kann geladen werden.",
  "These settings take effect the next time the gateway starts:":
    "Diese Einstellungen gelten ab dem nächsten Start des Gateways:",
  "Everything in this directory that the gateway can load is loaded.":
    "Alles in diesem Verzeichnis, was das Gateway laden kann, ist geladen.",
  "The gateway loads nothing from this directory.":
    "Das Gateway lädt nichts aus diesem Verzeichnis.",
  "Files have changed. The gateway keeps using the files that you trusted before:":
    "Dateien haben sich geändert. Das Gateway macht mit denen weiter, denen Sie vorher vertraut haben:",
  "Files have changed since you trusted them. None is loaded until you trust them again:":
    "Seit Sie den Dateien vertraut haben, haben sich welche geändert. Keine wird geladen, bevor Sie ihnen wieder vertrauen:",
  "The gateway can load config and tools from this directory. Nothing is loaded yet:":
    "Das Gateway kann Einstellungen und Werkzeuge aus diesem Verzeichnis laden. Es hat es nicht getan:",
  "Trust these files only if you know what they do. The gateway runs them, and they can do anything that you can do on this machine. If one changes, you are asked again.":
    "Vertrauen Sie diesen Dateien nur, wenn Sie wissen, was sie tun. Das Gateway führt sie aus, und sie können alles, was Sie auf diesem Rechner können. Ändert sich eine, werden Sie wieder gefragt.",
  "Deleted files:": "Nicht mehr da:",
  "They import packages. The content of packages is not shown here, and may change without a question:":
    "Sie importieren Pakete, deren Inhalt hier nicht gezeigt wird und sich ohne Frage ändern kann:",
  "These files could not be loaded. Fix them, then trust them again:":
    "Diese Dateien konnten nicht geladen werden. Berichtigen Sie sie, und vertrauen Sie ihnen wieder:",
  "Files in {folder} could not be loaded.": "Dateien aus {folder} konnten nicht geladen werden.",
  "Some files could not be loaded.": "Manche Dateien konnten nicht geladen werden.",
  "Trust and load these files": "Diesen Dateien vertrauen und sie laden",
  "Changed settings": "Einstellungen, die sich ändern",
  becomes: "wird",
  "(now {value})": "(jetzt {value})",
  "The files are loaded.": "Die Dateien sind geladen.",
  New: "Neu",
  Changed: "Geändert",
  Unchanged: "Unverändert",
  "Config file": "Einstellungen",
  Imported: "Importiert",
  "The whole file": "Die ganze Datei",
  "What has changed": "Was sich geändert hat",
  "Open the long files first.": "Öffnen Sie erst die langen Dateien.",
} satisfies Texts;
