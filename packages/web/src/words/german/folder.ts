import type { Texts } from "@holdpoint/react/words";

/** Texts about the files that the gateway loads. */
export const FOLDER = {
  "Files of the directory": "Dateien des Verzeichnisses",
  "Files have changed in {folder}. The change is not loaded until you trust it.":
    "In {folder} haben sich Dateien geändert. Die Änderung wird nicht geladen, bevor Sie ihr vertrauen.",
  "Nothing is loaded from {folder} until you trust it.":
    "Aus {folder} wird nichts geladen, bevor Sie ihm vertrauen.",
  "Look at the files": "Dateien ansehen",
  "Nothing new can be loaded.": "Nichts Neues kann geladen werden.",
  "These settings hold from the next start of the gateway:":
    "Diese Einstellungen gelten ab dem nächsten Start des Gateways:",
  "Everything in this directory that the gateway can load is loaded.":
    "Alles in diesem Verzeichnis, was das Gateway laden kann, ist geladen.",
  "The gateway loads nothing from this directory.":
    "Das Gateway lädt nichts aus diesem Verzeichnis.",
  "Files have changed. The gateway goes on with those that you have trusted before:":
    "Dateien haben sich geändert. Das Gateway macht mit denen weiter, denen Sie vorher vertraut haben:",
  "Files have changed since you trusted them. None is loaded until you trust them again:":
    "Seit Sie den Dateien vertraut haben, haben sich welche geändert. Keine wird geladen, bevor Sie ihnen wieder vertrauen:",
  "The gateway can load config and tools from this directory. It has not done so:":
    "Das Gateway kann Einstellungen und Werkzeuge aus diesem Verzeichnis laden. Es hat es nicht getan:",
  "Trust these files only if you know what they do. The gateway runs them, and they can do whatever you can do on this machine. When one changes, you are asked again.":
    "Vertrauen Sie diesen Dateien nur, wenn Sie wissen, was sie tun. Das Gateway führt sie aus, und sie können alles, was Sie auf diesem Rechner können. Ändert sich eine, werden Sie wieder gefragt.",
  "Gone:": "Nicht mehr da:",
  "They import packages, whose content is not shown here and may change without a question:":
    "Sie importieren Pakete, deren Inhalt hier nicht gezeigt wird und sich ohne Frage ändern kann:",
  "These files could not be loaded. Correct them, and trust them again:":
    "Diese Dateien konnten nicht geladen werden. Berichtigen Sie sie, und vertrauen Sie ihnen wieder:",
  "Files of {folder} could not be loaded.": "Dateien aus {folder} konnten nicht geladen werden.",
  "Some files could not be loaded.": "Manche Dateien konnten nicht geladen werden.",
  "Trust and load these files": "Diesen Dateien vertrauen und sie laden",
  "Settings that change": "Einstellungen, die sich ändern",
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
