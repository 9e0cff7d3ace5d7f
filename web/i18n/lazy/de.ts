import { pluralRules } from "../plural-rules.ts";
import type { LazyMessages } from "./en.ts";

const plural = pluralRules("de");

export const de: LazyMessages = {
  cancel: "Abbrechen",

  notYouTitle: "Dieser Besuch ist beendet",
  notYouLead:
    "Auf dieser Seite ist nichts mehr vom Dokument. Wenn der Link Sie aus Versehen erreicht hat, sagen Sie es der Person, die ihn geschickt hat, und löschen Sie die Nachricht.",

  agreementTitle: "Dies ist ein „transferable record“",
  agreementLead: "Sie unterschreiben als Aussteller. Lesen Sie diesen Text, der nur für Aussteller gilt.",
  agreementBox: "Ich habe diesen Text gelesen und bin ausdrücklich einverstanden, dass dieses Dokument ein „transferable record“ ist",

  questionsTitle: "Bestätigen Sie Ihre Identität",
  questionsLead: (sender) =>
    `${sender} hat Fragen hinterlegt, die nur Sie beantworten können sollten. Danach können Sie das Dokument sehen.`,
  questionsAttempts: (n) => plural(n, { one: "Sie haben 1 Versuch.", other: `Sie haben ${n} Versuche.` }),
  questionsWrong: (left) =>
    `Das war nicht richtig. ${plural(left, { one: "Sie können es noch einmal versuchen.", other: `Sie können es noch ${left} Mal versuchen.` })}`,
  questionsAgain: "Ihre Antworten galten eine Stunde. Bitte antworten Sie erneut, bevor Sie unterschreiben.",
  questionsOver: "Diese Fragen sind abgelaufen. Hier sind neue. Das zählt nicht als Versuch.",
  questionsAnswerAll: "Bitte beantworten Sie jede Frage.",
  codeLead: (to) => `Um das Dokument zu sehen, geben Sie den Code ein, der an ${to} geschickt wird.`,
  codeLabel: "Code aus der E-Mail",
  codeSend: "Code senden",
  codeSendAgain: "Neuen Code senden",
  codeAnother: "Ein neuer Code ist unterwegs. Der vorige gilt nicht mehr.",
  codeWait: "Ein Code ist schon unterwegs. Nach einer Minute können Sie einen neuen anfordern.",
  codeLate: (sender) =>
    `Noch keine E-Mail? Sie kann sich verspäten. Sehen Sie im Spam-Ordner nach, oder bitten Sie ${sender} um einen anderen Weg, Ihre Identität zu bestätigen.`,
  codeNotSent: (sender) =>
    `Noch nicht gesendet. Wir versuchen es weiter. Sie können warten oder ${sender} um einen anderen Weg bitten, Ihre Identität zu bestätigen.`,
  codeFailed: (sender) =>
    `Die E-Mail konnte nicht gesendet werden. Bitten Sie ${sender} um einen anderen Weg, Ihre Identität zu bestätigen.`,
  codeLimited: "Es wurden zu viele Codes angefordert. Versuchen Sie es später noch einmal.",
  codeOver: "Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.",
  codeMissing: "Bitte geben Sie den Code ein.",
  codeExpired: "Sie haben Ihre Identität vor mehr als einer Stunde bestätigt.",
  accessCodeLead: (sender) => `Um das Dokument zu sehen, geben Sie den Zugangscode ein, den Sie von ${sender} haben.`,
  accessCodeLabel: "Zugangscode",

  uploadHint: "Ein Foto oder Scan Ihrer Unterschrift auf weißem Papier, als PNG, JPEG oder WebP.",
  uploadBad: "Diese Datei konnte nicht als Bild gelesen werden.",
  uploadBig: "Dieses Bild hat zu viele Einzelheiten. Bitte wählen Sie ein einfacheres.",
  preview: "Vorschau",

  senderSaid: (sender) => `Grund, den ${sender} angegeben hat:`,

  doneTitle: "Sie haben unterschrieben",
  doneAt: (time) => `Unterschrieben am ${time}`,
  doneCount: (signed, total) => `${signed} von ${total} haben unterschrieben.`,
  doneAll: "Alle haben unterschrieben.",
  doneWaiting: "Sie erhalten eine E-Mail, wenn alle unterschrieben haben.",
  doneReference: "Referenz",
  download: "Ihre Kopie herunterladen",
  downloadSoFar: "Aktuelle Fassung herunterladen",
  copyLater: "Ihre Kopie wird versiegelt. Sie ist gleich verfügbar.",
  copyMuchLater:
    "Ihre Kopie braucht länger als üblich. Kommen Sie später auf diese Seite zurück, oder nutzen Sie den Link in Ihrer E-Mail.",
  closePage: "Sie können diese Seite schließen.",

  declineTitle: "Unterschrift ablehnen?",
  declineLead: (sender) => `Danach kann niemand mehr dieses Dokument unterschreiben. ${sender} sieht dann, dass Sie abgelehnt haben.`,
  declineReason: "Grund, sichtbar für den Absender",
  declineDo: "Ablehnen",
  declinedTitle: "Sie haben die Unterschrift abgelehnt",
  declinedLead: (sender) => `${sender} kann sehen, dass Sie abgelehnt haben.`,
  withdrawTitle: "Ihre Einwilligung widerrufen?",
  withdrawLead:
    "Sie können dann hier nicht unterschreiben, bis Sie wieder einwilligen. Was Sie ausgefüllt haben, bleibt gespeichert; eingesetzte Unterschriften werden entfernt.",
  withdrawDo: "Einwilligung widerrufen",
  paperTitle: "Lieber auf Papier unterschreiben?",
  paperLead: (sender) =>
    `Sie bekommen das Dokument, um es zu drucken und mit Tinte zu unterschreiben. ${sender} sieht dann, dass Sie auf Papier unterschreiben möchten. Fragen Sie ${sender}, wie Sie es zurückgeben. Bis dahin können Sie noch hier unterschreiben.`,
  paperDo: "Papier holen",
  paperDone: (sender) =>
    `Drucken Sie das Dokument und unterschreiben Sie es mit Tinte. ${sender} kann sehen, dass Sie auf Papier unterschreiben möchten. Sie können noch hier unterschreiben.`,
  laterDone: (address) => `Ihre Eingaben sind gespeichert. Eine E-Mail mit dem Link wird an ${address} gesendet.`,
  downloadCertificate: "Zertifikat herunterladen",
  consentText: "Einwilligung",
  certificate: "Zertifikat",

  waitingTitle: "Sie sind noch nicht an der Reihe",
  waitingLead: (before, isMailed) =>
    `Vor Ihnen ${plural(before, { one: "ist noch 1 Person", other: `sind noch ${before} Personen` })} an der Reihe. ${isMailed ? "Sie erhalten eine E-Mail, wenn Sie an der Reihe sind. " : ""}Diese Seite aktualisiert sich automatisch.`,
  lockedTitle: "Dieses Dokument ist gesperrt",
  lockedLead: (sender) => `Es gab zu viele falsche Antworten. Bitten Sie ${sender}, es Sie erneut versuchen zu lassen.`,
  identityUnavailableTitle: "Ihre Fragen sind noch nicht bereit",
  identityUnavailableLead: (sender) =>
    `${sender} hat Ihre Fragen noch nicht hinterlegt. Diese Seite aktualisiert sich automatisch, sobald sie bereit sind.`,
  viewing: (email) => `Sie sehen das Dokument als ${email}. Nur die Unterzeichner können es ausfüllen und unterschreiben.`,
  viewingWithheld: "Nur Unterzeichner, die ihre Identität bestätigt haben, können dieses Dokument sehen.",

  approveTitle: "Diesem Dokument zustimmen?",
  approveLead: (sender) => `${sender} bittet um Ihre Entscheidung. Lesen Sie das Dokument und stimmen Sie ihm zu, oder lehnen Sie es ab.`,
  approveDo: "Zustimmen",
  approvedTitle: "Sie haben diesem Dokument zugestimmt",
  rejectDo: "Ablehnen",
  rejectTitle: "Dieses Dokument ablehnen?",
  rejectLead: (sender) => `Niemand kann dieses Dokument dann noch unterschreiben. ${sender} sieht, dass und warum Sie es abgelehnt haben.`,
  rejectedTitle: "Sie haben dieses Dokument abgelehnt",
  rejectedLead: (sender) => `${sender} kann sehen, dass und warum Sie es abgelehnt haben.`,
  confirmTitle: "Bitte lesen Sie dieses Dokument",
  confirmLead: (sender) => `${sender} bittet Sie zu bestätigen, dass Sie es gelesen haben. Sie unterschreiben nichts.`,
  confirmDo: "Ich habe es gelesen",
  confirmedTitle: "Sie haben bestätigt, dass Sie dieses Dokument gelesen haben",
  copyLead: (sender) => `${sender} möchte, dass Sie dieses Dokument haben. Sie müssen nichts tun.`,
  copyWaitingTitle: "Es gibt noch nichts zu lesen",
  copyWaitingLead: "Sie können das Dokument hier lesen, sobald es für Sie bereit ist. Diese Seite aktualisiert sich automatisch.",
  senderWrote: (sender) => `${sender} schreibt:`,
  changedSince: "Das Dokument hat sich geändert, seit Sie es geöffnet haben. Bitte lesen Sie es noch einmal.",
  othersOpen: "Andere müssen noch handeln. Das Dokument ist noch nicht abgeschlossen.",
  removedTitle: "Dieses Dokument ist nicht mehr für Sie bestimmt",
  removedLead: "Der Absender hat geändert, wer dieses Dokument erhält. Fragen Sie den Absender, falls Sie es bearbeiten sollten.",

  mailedLinkTitle: "Öffnen Sie den Link in Ihrer E-Mail",
  mailedLinkLead: (sender) =>
    `${sender} akzeptiert nur Unterschriften, die über den Link in der an Sie gesendeten E-Mail geleistet werden. Öffnen Sie zum Unterschreiben diesen Link.`,
  wholeLinkLead:
    "Diese Adresse allein öffnet kein Dokument. Öffnen Sie den vollständigen Link in Ihrer E-Mail, oder lassen Sie einen neuen Link an die E-Mail-Adresse des Unterzeichners senden.",
  newLink: "Neuen Link senden",
  newLinkAsked:
    "Falls das Dokument noch geöffnet werden kann, wird ein neuer Link an die E-Mail-Adresse des Unterzeichners gesendet. Pro Stunde werden höchstens drei gesendet.",
  notFoundTitle: "Dieser Link ist nicht gültig",
  notFoundLead: "Prüfen Sie, ob Sie den vollständigen Link haben, oder bitten Sie den Absender um einen neuen.",
  voidedTitle: "Dieses Dokument wurde zurückgezogen",
  voidedLead:
    "Der Absender hat es zurückgezogen; es kann nicht mehr unterschrieben werden. Fragen Sie den Absender, falls Sie es unterschreiben sollten.",
  expiredTitle: "Die Frist zum Unterschreiben ist abgelaufen",
  expiredLead: "Bitten Sie den Absender, das Dokument erneut zu senden.",
  declinedByOtherTitle: "Dieses Dokument wurde abgelehnt",
  declinedByOtherLead: "Eine Person hat es abgelehnt; niemand kann es mehr unterschreiben. Fragen Sie den Absender, wie es weitergeht.",
  endedTitle: "Ihre Sitzung ist beendet",
  endedLead: "Gespeicherte Eingaben bleiben erhalten.",
  endedOpenAgain: "Gehen Sie dorthin zurück, wo Sie das Dokument geöffnet haben, und öffnen Sie es erneut.",
  recordMismatchTitle: "Dieses Dokument kann derzeit nicht geöffnet werden",
  recordMismatchLead:
    "Das gespeicherte Dokument stimmt nicht mit seinem Prüfprotokoll überein. Bis das behoben ist, kann niemand es unterschreiben. Der Absender kann sehen, was geschehen ist.",
  problemTitle: "Etwas ist schiefgegangen",
  problemLead: "Gespeicherte Eingaben bleiben erhalten.",
  reference: (id) => `Referenz: ${id}`,
};
