import type { Texts } from "@holdpoint/react/words";

/** Texts about signing in. */
export const LAUNCH = {
  "Open the launch link": "Öffnen Sie den Startlink",
  "This browser is not signed in to this gateway yet.":
    "Dieser Browser kennt dieses Gateway noch nicht.",
  "This link or code has expired or was already used":
    "Dieser Link oder Code wurde schon benutzt oder ist zu alt",
  "Each works once, and only for a short time. A mistyped code does not work either.":
    "Jeder gilt einmal und nur kurze Zeit. Ein vertippter Code gilt auch nicht.",
  "This browser was signed out": "Dieser Browser wurde abgemeldet",
  "Its access was revoked, its sign-in expired, or the gateway started with a new data folder.":
    "Sein Zugang wurde widerrufen, es war Zeit für eine neue Anmeldung, oder das Gateway startete mit einem neuen Datenordner.",
  "This browser was signed out after some time":
    "Dieser Browser wurde nach einiger Zeit abgemeldet",
  "A sign-in ends after a month without use, and after six months at the latest; with an issuer, after a week. The gateway can be configured with other times.":
    "Eine Anmeldung endet, wenn sie einen Monat nicht benutzt wurde, und nach einem halben Jahr; bei einem Anbieter nach einer Woche. Am Gateway lassen sich andere Zeiten einstellen.",
  "This link is not for the gateway at this address":
    "Dieser Link ist nicht von dem Gateway, das hier antwortet",
  "Another program or gateway is answering at this address. The link was not used up, and nothing was sent.":
    "Unter dieser Adresse antwortet ein anderes Programm oder ein anderes Gateway. Der Link wurde nicht verbraucht, und nichts wurde gesendet.",
  "This address is not safe enough to sign in": "Diese Adresse ist zum Anmelden nicht sicher genug",
  "Browsers store keys only for https pages and for this machine's own addresses. Open the gateway at one of these.":
    "Ein Browser hält einen Schlüssel nur für https-Seiten und für die eigenen Adressen dieses Rechners. Öffnen Sie das Gateway unter einer davon.",
  "This browser cannot save your sign-in": "Dieser Browser behält nichts für diese Seite",
  "Signing in needs the browser's storage, which a private window or a setting is blocking. The link was not used up.":
    "Die Anmeldung braucht den Speicher des Browsers, den ein privates Fenster oder eine Einstellung verweigert. Der Link wurde nicht verbraucht.",
  "The launch link was not used up. Start the gateway, then open the link again.":
    "Der Startlink wurde dadurch nicht verbraucht. Starten Sie das Gateway, und öffnen Sie den Link dann noch einmal.",
  "In the gateway's terminal, find the launch link that begins with":
    "Sehen Sie in das Terminal, in dem das Gateway läuft: Es zeigt einen Startlink, der so beginnt:",
  "No new link there? Run {command} in another terminal to get one. Or stop the gateway with {keys} and start it again: sessions and pending requests are kept.":
    "Kein frischer Link dort? {command}, in einem anderen Terminal ausgeführt, zeigt dort einen. Auch wenn Sie das Gateway mit {keys} beenden und neu starten: Sitzungen und offene Anfragen bleiben erhalten.",
  "Open the link in this browser. It stays signed in afterwards.":
    "Öffnen Sie den Link in diesem Browser. Danach bleibt er angemeldet.",
  "{way} from another of your devices instead.":
    "{way}: Ein anderes Ihrer Geräte kann Ihnen einen zeigen.",
  "There is no password: anyone who opens the link can answer for you. Don't share it.":
    "Es gibt kein Passwort: Wer den Link öffnet, kann für Sie antworten. Geben Sie ihn nicht weiter.",
  "Enter a code": "Code eingeben",
  "Get one on a signed-in device under “Devices and programs”, “Add a device”, or run {command} in the gateway's terminal.":
    "Ein angemeldetes Gerät zeigt einen unter „Geräte und Programme“, „Gerät hinzufügen“. {command} zeigt auch einen, im Terminal des Gateways.",
  Code: "Code",
  "Enter all nine letters and digits of the code.": "Ein Code hat neun Buchstaben und Ziffern.",
  "It works once, within five minutes. After five wrong attempts, you need a new code.":
    "Er gilt einmal, innerhalb von fünf Minuten. Nach fünf falschen brauchen Sie einen neuen.",
  "Switch to {to}?": "Zu {to} wechseln?",
  "This browser is signed in as {from}. The link that was opened would sign it in as {to}. If you did not request this, stay signed in.":
    "Dieser Browser ist als {from} angemeldet. Der geöffnete Link würde ihn als {to} anmelden. Haben Sie ihn nicht angefordert, bleiben Sie angemeldet.",
  "Stay signed in as {from}": "Als {from} angemeldet bleiben",
  "Switch to {to}": "Zu {to} wechseln",
  "Sign in": "Anmelden",
  "Another program is answering at this address.":
    "Unter dieser Adresse antwortet ein anderes Programm.",
  "It is not the gateway that this browser signed in to. Nothing is sent to it. The page continues automatically when the gateway is back. If you moved the gateway or gave it a new data folder, open a new launch link.":
    "Es ist nicht das Gateway, an dem dieser Browser angemeldet ist. Nichts wird an es gesendet. Die Seite macht von selbst weiter, wenn das Gateway wieder da ist. Haben Sie es verschoben oder ihm einen neuen Datenordner gegeben, öffnen Sie einen neuen Startlink.",
  "Sign in with {issuer}": "Mit {issuer} anmelden",
  "Sign in again with {issuer}": "Neu mit {issuer} anmelden",
  "Redirecting…": "Weiter dorthin …",
  "Your sign-in": "Ihre Anmeldung",
  "Signed in as {person} until {time}.": "Angemeldet als {person} bis {time}.",
  "After that, none of your devices get notifications. Signing in again on one of them renews it for all.":
    "Danach wird keines Ihrer Geräte mehr benachrichtigt. Eine neue Anmeldung auf einem davon gilt für alle.",
  "Or use a launch link, which is for the gateway's owner:":
    "Oder mit einem Startlink, der für den Eigentümer des Gateways ist:",
  "This sign-in was not started in this browser":
    "Diese Anmeldung wurde nicht in diesem Browser begonnen",
  "A sign-in must be completed in the browser that started it. Nothing was sent. If someone gave you this address, do not trust it.":
    "Eine Anmeldung endet in dem Browser, in dem sie begonnen wurde. Nichts wurde gesendet. Hat Ihnen jemand diese Adresse gegeben, trauen Sie ihr nicht.",
  "You were not signed in": "Sie wurden nicht angemeldet",
  "The issuer did not confirm it, it took longer than ten minutes, or it was already used. Sign in again.":
    "Der Anmeldedienst hat es nicht bestätigt, es dauerte länger als zehn Minuten, oder es war schon benutzt. Melden Sie sich noch einmal an.",
  "You do not have access": "Sie haben hier keinen Zutritt",
  "The issuer confirmed who you are, but you have not been given access to this gateway. Ask its owner.":
    "Der Anmeldedienst kennt Sie, aber an diesem Gateway hat Sie niemand zugelassen. Fragen Sie seinen Eigentümer.",
  "The issuer is not responding": "Der Anmeldedienst antwortet nicht",
  "The gateway could not verify who you are. Try again in a moment. A launch link or a code works all the same.":
    "Das Gateway konnte ihn nicht fragen, wer Sie sind. Versuchen Sie es gleich noch einmal. Ein Startlink oder ein Code geht trotzdem.",
} satisfies Texts;
