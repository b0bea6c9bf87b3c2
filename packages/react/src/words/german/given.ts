import type { GIVEN_TEXTS } from "../english/given.ts";
import type { Texts } from "../text.ts";

export const GIVEN: Texts<(typeof GIVEN_TEXTS)[number]> = {
  "This was not asked.": "Danach wurde nicht gefragt.",
  "Answer Yes or No.": "Antworten Sie mit Ja oder Nein.",
  "Choose one of the options.": "Wählen Sie eine der Möglichkeiten.",
  "Choose from the options.": "Wählen Sie aus den Möglichkeiten.",
  "An option was chosen twice.": "Eine Möglichkeit wurde zweimal gewählt.",
  "Choose at least one.": "Wählen Sie mindestens eine.",
  "Choose at least {n}.": "Wählen Sie mindestens {n}.",
  "Choose at most {n}.": "Wählen Sie höchstens {n}.",
  "Fill this in.": "Füllen Sie das aus.",
  "Enter a number.": "Geben Sie eine Zahl ein.",
  "Enter a whole number.": "Geben Sie eine ganze Zahl ein.",
  "This number is too large to be exact.": "Diese Zahl ist zu groß, um genau zu sein.",
  "Enter {n} or more.": "Geben Sie {n} oder mehr ein.",
  "Enter {n} or less.": "Geben Sie {n} oder weniger ein.",
  "Write it without separators, such as 1000 or 1.5.":
    "Schreiben Sie es ohne Trennzeichen, etwa 1000 oder 1.5.",
  "Enter text.": "Geben Sie Text ein.",
  "Enter at least {n} character.": "Geben Sie mindestens {n} Zeichen ein.",
  "Enter at least {n} characters.": "Geben Sie mindestens {n} Zeichen ein.",
  "Enter at most {n} character.": "Geben Sie höchstens {n} Zeichen ein.",
  "Enter at most {n} characters.": "Geben Sie höchstens {n} Zeichen ein.",
  "Enter an e-mail address.": "Geben Sie eine E-Mail-Adresse ein.",
  "Enter a whole address, with https://.": "Geben Sie eine ganze Adresse ein, mit https://.",
  "Enter a date.": "Geben Sie ein Datum ein.",
  "Enter a date and a time.": "Geben Sie Datum und Uhrzeit ein.",
  "The demo agent asks before it changes a file.":
    "Der Demo-Agent fragt, bevor er eine Datei ändert.",
  "This names a folder that holds the data folder of the gateway, and may read or change it.":
    "Das nennt einen Ordner, in dem der Datenordner des Gateways liegt, und kann ihn lesen oder ändern.",
  "This may change what the gateway itself loads and runs: its config or its tools.":
    "Das kann ändern, was das Gateway selbst lädt und ausführt: seine Konfiguration oder seine Werkzeuge.",
  "This names too many paths to check whether it reaches the data folder of the gateway.":
    "Das nennt zu viele Pfade, um zu prüfen, ob es den Datenordner des Gateways erreicht.",
  "Answered in the terminal.": "Im Terminal beantwortet.",
  "Nobody answered here in time: the terminal asks.":
    "Niemand hat hier rechtzeitig geantwortet: Das Terminal fragt.",
  "Answered or closed in the terminal.": "Im Terminal beantwortet oder geschlossen.",
  "The session in the terminal has ended.": "Die Sitzung im Terminal ist beendet.",
  "A file of this message is not kept any more. Attach it again.":
    "Eine Datei dieser Nachricht wird nicht mehr aufbewahrt. Hängen Sie sie noch einmal an.",
  "This agent takes no images and files.": "Dieser Agent nimmt keine Bilder und Dateien an.",
};
