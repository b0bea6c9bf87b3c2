import type { Texts } from "@holdpoint/react/words";

/** Texts about the notifications of a device. */
export const NOTIFICATIONS = {
  Notifications: "Benachrichtigungen",
  "Requests from an agent appear on this device while you are not looking.":
    "Was ein Agent fragt, erscheint auf diesem Gerät, während Sie nicht hinsehen.",
  "Notify this device": "Dieses Gerät benachrichtigen",
  "This browser has no push service, or cannot reach it. You are notified only while a Holdpoint page is open in the background here.":
    "Dieser Browser hat keinen Push-Dienst oder erreicht ihn nicht. Sie werden benachrichtigt, solange hier eine Seite von Holdpoint offen und verdeckt ist.",
  "Notify me about": "Benachrichtigen bei",
  Everything: "Allem",
  "Approvals, questions and forms.": "Freigaben, Fragen und Formularen.",
  "Approvals only": "Nur Freigaben",
  "Questions and forms wait in the inbox.": "Fragen und Formulare stehen im Eingang.",
  "Nothing for now": "Vorerst nichts",
  "This device keeps its settings.": "Dieses Gerät behält seine Einstellungen.",
  "Quiet hours": "Ruhezeit",
  from: "von",
  to: "bis",
  "Send a test": "Probe senden",
  "The last notification did not arrive.": "Die letzte Nachricht kam nicht an.",
  "The browser did not allow it. Nothing was changed.":
    "Der Browser hat es nicht erlaubt. Nichts wurde geändert.",
  "The push service has taken it: it appears within seconds. If it does not, check the system's settings for this browser, and “Do not disturb”.":
    "Der Push-Dienst hat sie angenommen: Sie erscheint in Sekunden. Wenn nicht, sehen Sie in den Einstellungen des Systems für diesen Browser nach und bei „Nicht stören“.",
  "This browser has ended its subscription. Turn notifications on again.":
    "Dieser Browser hat sein Abonnement beendet. Schalten Sie die Benachrichtigungen wieder ein.",
  "The push service refused it. {detail} Turn notifications off and on again.":
    "Der Push-Dienst hat sie abgelehnt. {detail} Schalten Sie die Benachrichtigungen aus und wieder ein.",
  "The gateway cannot reach the push service. {detail} Check its network.":
    "Das Gateway erreicht den Push-Dienst nicht. {detail} Prüfen Sie sein Netz.",
  "This page was loaded over http, and browsers show notifications only for https pages.":
    "Diese Seite kam über http, und Browser benachrichtigen nur für Seiten, die über https kamen.",
  "Open it at an https address. guides/devices.md shows three ways to get one.":
    "Öffnen Sie sie unter einer https-Adresse. guides/devices.md zeigt drei Wege zu einer.",
  "On an iPhone or iPad, only apps on the home screen can show notifications.":
    "Auf iPhone und iPad können nur Apps auf dem Home-Bildschirm benachrichtigen.",
  "Tap Share, then “Add to Home Screen”, and open Holdpoint from there.":
    "Tippen Sie auf „Teilen“, dann „Zum Home-Bildschirm“, und öffnen Sie Holdpoint von dort.",
  "This browser cannot receive notifications while the page is closed.":
    "Dieser Browser kann keine Benachrichtigungen empfangen, während die Seite geschlossen ist.",
  "Use a current version of Chrome, Edge, Firefox or Safari, and not a private window.":
    "Benutzen Sie ein aktuelles Chrome, Edge, Firefox oder Safari und kein privates Fenster.",
  "Notifications from this page are blocked in this browser.":
    "Benachrichtigungen dieser Seite sind in diesem Browser gesperrt.",
  "Allow them in the browser's settings for this page, then reload it.":
    "Erlauben Sie sie in den Einstellungen des Browsers für diese Seite, und laden Sie sie dann neu.",
} satisfies Texts;
