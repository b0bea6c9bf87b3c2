import type { Texts } from "@holdpoint/react/words";

/** Texts about signing in. */
export const LAUNCH = {
  "Open the launch link": "Öffnen Sie den Startlink",
  "This browser does not know this gateway yet.": "Dieser Browser kennt dieses Gateway noch nicht.",
  "This link or code was used already or is too old":
    "Dieser Link oder Code wurde schon benutzt oder ist zu alt",
  "Each works once, and only for a short time. A code that was mistyped does not work either.":
    "Jeder gilt einmal und nur kurze Zeit. Ein vertippter Code gilt auch nicht.",
  "This browser was signed out": "Dieser Browser wurde abgemeldet",
  "Its access was revoked, it was time to sign in again, or the gateway started with a new data folder.":
    "Sein Zugang wurde widerrufen, es war Zeit für eine neue Anmeldung, oder das Gateway startete mit einem neuen Datenordner.",
  "This browser was signed out after some time":
    "Dieser Browser wurde nach einiger Zeit abgemeldet",
  "A sign-in ends when it was not used for a month, and after half a year; at an issuer after a week. The gateway can be told other times.":
    "Eine Anmeldung endet, wenn sie einen Monat nicht benutzt wurde, und nach einem halben Jahr; bei einem Anbieter nach einer Woche. Am Gateway lassen sich andere Zeiten einstellen.",
  "This link is not of the gateway that answers here":
    "Dieser Link ist nicht von dem Gateway, das hier antwortet",
  "Another program, or another gateway, answers at this address. The link was not used up, and nothing was sent.":
    "Unter dieser Adresse antwortet ein anderes Programm oder ein anderes Gateway. Der Link wurde nicht verbraucht, und nichts wurde gesendet.",
  "This address is not safe enough to sign in": "Diese Adresse ist zum Anmelden nicht sicher genug",
  "A browser keeps a key only for https pages and for this machine's own addresses. Open the gateway at one of these.":
    "Ein Browser hält einen Schlüssel nur für https-Seiten und für die eigenen Adressen dieses Rechners. Öffnen Sie das Gateway unter einer davon.",
  "This browser keeps nothing for this page": "Dieser Browser behält nichts für diese Seite",
  "Signing in needs the browser's storage, which a private window or a setting refuses. The link was not used up.":
    "Die Anmeldung braucht den Speicher des Browsers, den ein privates Fenster oder eine Einstellung verweigert. Der Link wurde nicht verbraucht.",
  "The launch link was not used up by this. Start the gateway, then open the link again.":
    "Der Startlink wurde dadurch nicht verbraucht. Starten Sie das Gateway, und öffnen Sie den Link dann noch einmal.",
  "Look at the terminal in which the gateway runs: it prints a launch link that begins with":
    "Sehen Sie in das Terminal, in dem das Gateway läuft: Es zeigt einen Startlink, der so beginnt:",
  "No fresh link there? {command}, run in another terminal, shows one there. So does stopping the gateway with {keys} and starting it again: sessions and pending requests are kept.":
    "Kein frischer Link dort? {command}, in einem anderen Terminal ausgeführt, zeigt dort einen. Auch wenn Sie das Gateway mit {keys} beenden und neu starten: Sitzungen und offene Anfragen bleiben erhalten.",
  "Open the link in this browser. It stays signed in afterwards.":
    "Öffnen Sie den Link in diesem Browser. Danach bleibt er angemeldet.",
  "{way} instead, which another device of yours can show.":
    "{way}: Ein anderes Ihrer Geräte kann Ihnen einen zeigen.",
  "There is no password: anyone who opens the link can answer for you. Don't share it.":
    "Es gibt kein Passwort: Wer den Link öffnet, kann für Sie antworten. Geben Sie ihn nicht weiter.",
  "Enter a code": "Code eingeben",
  "A device that is signed in shows one under “Devices and programs”, “Add a device”. So does {command}, in the terminal of the gateway.":
    "Ein angemeldetes Gerät zeigt einen unter „Geräte und Programme“, „Gerät hinzufügen“. {command} zeigt auch einen, im Terminal des Gateways.",
  Code: "Code",
  "A code has nine letters and digits.": "Ein Code hat neun Buchstaben und Ziffern.",
  "It works once, within five minutes. After five wrong ones you need a new code.":
    "Er gilt einmal, innerhalb von fünf Minuten. Nach fünf falschen brauchen Sie einen neuen.",
  "Switch to {to}?": "Zu {to} wechseln?",
  "This browser is signed in as {from}. The link that was opened would sign it in as {to}. If you did not ask for it, stay signed in.":
    "Dieser Browser ist als {from} angemeldet. Der geöffnete Link würde ihn als {to} anmelden. Haben Sie ihn nicht angefordert, bleiben Sie angemeldet.",
  "Stay signed in as {from}": "Als {from} angemeldet bleiben",
  "Switch to {to}": "Zu {to} wechseln",
  "Sign in": "Anmelden",
  "Another program answers at this address.":
    "Unter dieser Adresse antwortet ein anderes Programm.",
  "It is not the gateway that this browser signed in to. Nothing is sent to it. The page goes on by itself when the gateway is back. If you moved it or gave it a new data folder, open a new launch link.":
    "Es ist nicht das Gateway, an dem dieser Browser angemeldet ist. Nichts wird an es gesendet. Die Seite macht von selbst weiter, wenn das Gateway wieder da ist. Haben Sie es verschoben oder ihm einen neuen Datenordner gegeben, öffnen Sie einen neuen Startlink.",
  "Sign in with {issuer}": "Mit {issuer} anmelden",
  "Sign in again with {issuer}": "Neu mit {issuer} anmelden",
  "Going there…": "Weiter dorthin …",
  "Your sign-in": "Ihre Anmeldung",
  "Signed in as {person} until {time}.": "Angemeldet als {person} bis {time}.",
  "After that no device of yours is notified of anything. Signing in again on one of them renews it for all.":
    "Danach wird keines Ihrer Geräte mehr benachrichtigt. Eine neue Anmeldung auf einem davon gilt für alle.",
  "Or with a launch link, which is for the gateway's owner:":
    "Oder mit einem Startlink, der für den Eigentümer des Gateways ist:",
  "This sign-in was not begun in this browser":
    "Diese Anmeldung wurde nicht in diesem Browser begonnen",
  "A sign-in ends in the browser in which it was begun. Nothing was sent. If somebody gave you this address, do not trust it.":
    "Eine Anmeldung endet in dem Browser, in dem sie begonnen wurde. Nichts wurde gesendet. Hat Ihnen jemand diese Adresse gegeben, trauen Sie ihr nicht.",
  "You were not signed in": "Sie wurden nicht angemeldet",
  "The issuer did not confirm it, it took longer than ten minutes, or it was used before. Sign in again.":
    "Der Anmeldedienst hat es nicht bestätigt, es dauerte länger als zehn Minuten, oder es war schon benutzt. Melden Sie sich noch einmal an.",
  "You may not come in here": "Sie haben hier keinen Zutritt",
  "The issuer knows you, but nobody has let you in at this gateway. Ask its owner.":
    "Der Anmeldedienst kennt Sie, aber an diesem Gateway hat Sie niemand zugelassen. Fragen Sie seinen Eigentümer.",
  "The issuer does not answer": "Der Anmeldedienst antwortet nicht",
  "The gateway could not ask it who you are. Try again in a moment. A launch link or a code works all the same.":
    "Das Gateway konnte ihn nicht fragen, wer Sie sind. Versuchen Sie es gleich noch einmal. Ein Startlink oder ein Code geht trotzdem.",
} satisfies Texts;
