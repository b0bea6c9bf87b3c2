import type { Texts } from "../text.ts";

/** Texts about the images and files of messages. */
export const ATTACHMENTS = {
  "Files of this message": "Dateien dieser Nachricht",
  "Attach images or files": "Bilder oder Dateien anhängen",
  "Drop to attach": "Zum Anhängen ablegen",
  "Uploading…": "Wird hochgeladen …",
  "Waiting for the gateway…": "Wartet auf das Gateway …",
  "This is retried automatically.": "Es wird von selbst wieder versucht.",
  "{name} was not uploaded before the page was reloaded. Choose it again.":
    "{name} war nicht hochgeladen, als die Seite neu geladen wurde. Wählen Sie die Datei noch einmal.",
  "Remove {name}": "{name} entfernen",
  "Try again: {name}": "Noch einmal versuchen: {name}",
  "Open {name}": "{name} öffnen",
  Download: "Herunterladen",
  Close: "Schließen",
  "If you reload before the session starts, these files are lost.":
    "Bis die Sitzung beginnt, gehen diese Dateien beim Neuladen verloren.",
  "A message can contain {count} file.|A message can contain {count} files.":
    "Eine Nachricht kann {count} Datei haben.|Eine Nachricht kann {count} Dateien haben.",
  "{name} is empty.": "{name} ist leer.",
  "{name} could not be read.": "{name} war nicht zu lesen.",
  "{name}: only PNG, JPEG, GIF and WebP images, PDF files and text can be sent.":
    "{name}: Nur Bilder in PNG, JPEG, GIF und WebP, PDF-Dateien und Text können gesendet werden.",
  "{name} has too many pixels. The limit is 50 million, and 10,000 per side.":
    "{name} hat zu viele Pixel. Ein Bild darf 50 Millionen haben, und 10.000 an einer Seite.",
  "{name} is too long. The limit for text is {size}. Put the file in the folder and mention it with @.":
    "{name} ist zu lang: Ein Text darf {size} haben. Legen Sie ihn in den Ordner, und nennen Sie ihn mit @.",
  "{name} is too large. The limit for all files in a message is {size}.":
    "{name} ist zu groß: Die Dateien einer Nachricht dürfen zusammen {size} haben.",
} satisfies Texts;
