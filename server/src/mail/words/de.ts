import type { MailWords } from "./en.ts";
import { pluralRules } from "./plural-rules.ts";

const plural = pluralRules("de");

export const de: MailWords = {
  invitation: {
    subject: ({ sender, document }) => `${sender} bittet um Ihre Unterschrift: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, bitte prüfen und unterschreiben Sie`,
    intro: ({ from }) => `${from} hat Ihnen ein Dokument zum Lesen und Unterschreiben gesendet.`,
  },
  turn: {
    subject: ({ document }) => `Sie sind an der Reihe: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, Sie sind mit dem Unterschreiben an der Reihe`,
    intro: ({ from }) => `Die Personen vor Ihnen haben unterschrieben. ${from} bittet nun um Ihre Unterschrift.`,
    afterOthers: ({ from }) => `Die Personen vor Ihnen sind fertig. ${from} bittet nun um Ihre Unterschrift.`,
  },
  reminder: {
    subject: ({ document }) => `Erinnerung an Ihre Unterschrift: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, bitte denken Sie an Ihre Unterschrift`,
    intro: ({ from }) => `${from} wartet noch auf Ihre Unterschrift.`,
    decline: "Wenn Sie nicht unterschreiben möchten, können Sie auf derselben Seite ablehnen. Dann erhalten Sie keine Erinnerungen mehr.",
  },
  corrected: {
    subject: ({ document }) => `Neuer Link zum Unterschreiben: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, hier ist Ihr neuer Link`,
    intro: ({ org }) => `${org} hat Ihre Angaben zu einem Dokument berichtigt, das auf Ihre Unterschrift wartet.`,
    earlier: "Ihr früherer Link funktioniert nicht mehr. Verwenden Sie stattdessen diesen.",
  },
  link: {
    subject: ({ document }) => `Ihr Link zum Unterschreiben: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, hier ist Ihr neuer Link`,
    intro: ({ from }) => `Sie haben einen neuen Link angefordert. ${from} hat Ihnen dieses Dokument zum Unterschreiben gesendet.`,
  },
  copy: {
    subject: ({ document }) => `Ihr Link zum Dokument: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, hier ist Ihr Dokument`,
    intro: ({ from }) => `Sie haben einen neuen Link zu einem Dokument von ${from} angefordert, das Sie unterschrieben haben.`,
    others: ({ from }) => `Sie haben einen neuen Link zu einem Dokument von ${from} angefordert.`,
  },
  completed: {
    subject: ({ document }) => `Alle haben unterschrieben: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, alle haben unterschrieben`,
    intro: ({ from }) => `Das Dokument von ${from} ist vollständig unterschrieben.`,
    keep: "Bitte bewahren Sie eine Kopie für Ihre Unterlagen auf.",
    attached: "Das unterschriebene Dokument ist dieser Nachricht beigefügt. Bitte bewahren Sie es für Ihre Unterlagen auf.",
  },
  voided: {
    subject: ({ document }) => `Zurückgezogen: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, dieses Dokument wurde zurückgezogen`,
    intro: ({ org }) => `${org} hat ein Dokument, das Ihnen gesendet wurde, zurückgezogen.`,
  },
  declined: {
    subject: ({ document }) => `Abgelehnt: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, dieses Dokument wurde abgelehnt`,
    intro: ({ from }) => `Eine Person hat ein Dokument abgelehnt, das ${from} Ihnen gesendet hat.`,
    rejected: ({ from }) => `Eine Person, die zustimmen sollte, hat ein Dokument abgelehnt, das ${from} Ihnen gesendet hat.`,
  },
  expired: {
    subject: ({ document }) => `Abgelaufen: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, dieses Dokument ist abgelaufen`,
    intro: ({ from }) => `Nicht alle haben das Dokument von ${from} rechtzeitig unterschrieben. Es kann nicht mehr unterschrieben werden.`,
    again: ({ sender }) => `Wenn Sie es noch unterschreiben möchten, bitten Sie ${sender}, es erneut zu senden.`,
    incomplete: ({ from }) => `Das Dokument von ${from} wurde nicht rechtzeitig abgeschlossen. Es kann nicht mehr abgeschlossen werden.`,
    needed: ({ sender }) => `Wenn es noch gebraucht wird, bitten Sie ${sender}, es erneut zu senden.`,
  },
  approver: {
    invitation: {
      subject: ({ sender, document }) => `${sender} bittet um Ihre Zustimmung: ${document}`,
      heading: ({ name }) => `Guten Tag ${name}, bitte prüfen Sie dieses Dokument`,
      intro: ({ from }) => `${from} bittet Sie, ein Dokument zu lesen und ihm zuzustimmen oder es abzulehnen.`,
    },
    reminder: {
      subject: ({ document }) => `Erinnerung an Ihre Entscheidung: ${document}`,
      heading: ({ name }) => `Guten Tag ${name}, bitte denken Sie an die Prüfung dieses Dokuments`,
      intro: ({ from }) => `${from} wartet noch auf Ihre Entscheidung.`,
    },
  },
  viewer: {
    invitation: {
      subject: ({ sender, document }) => `${sender} bittet Sie zu lesen: ${document}`,
      heading: ({ name }) => `Guten Tag ${name}, bitte lesen Sie dieses Dokument`,
      intro: ({ from }) => `${from} bittet Sie, ein Dokument zu lesen und zu bestätigen, dass Sie es gelesen haben.`,
    },
    reminder: {
      subject: ({ document }) => `Erinnerung zu lesen: ${document}`,
      heading: ({ name }) => `Guten Tag ${name}, bitte denken Sie daran, dieses Dokument zu lesen`,
      intro: ({ from }) => `${from} wartet noch auf Ihre Bestätigung, dass Sie es gelesen haben.`,
    },
  },
  cc: {
    subject: ({ sender, document }) => `${sender} sendet Ihnen ein Dokument zum Lesen: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, hier ist ein Dokument zu Ihrer Information`,
    intro: ({ from }) =>
      `${from} hat dieses Dokument anderen zum Unterschreiben gesendet und möchte, dass auch Sie es haben. Sie müssen nichts tun.`,
    later: "Wenn es abgeschlossen wird, erhalten Sie das unterschriebene Dokument per E-Mail.",
  },
  code: {
    subject: ({ document }) => `Ihr Code: ${document}`,
    heading: ({ name }) => `Guten Tag ${name}, hier ist Ihr Code`,
    intro: ({ from }) => `Geben Sie diesen Code auf der Seite mit dem Dokument von ${from} ein.`,
    label: "Code",
    validFor: "Der Code gilt 10 Minuten.",
    keep: "Geben Sie den Code nicht weiter. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht.",
  },
  form: {
    subject: ({ document }) => `Ihr Link: ${document}`,
    heading: "Öffnen Sie Ihr Dokument",
    intro: ({ org }) => `Diese E-Mail-Adresse wurde in ein Formular von ${org} eingegeben. Mit diesem Link öffnen Sie das Dokument.`,
    validFor: "Der Link gilt 30 Minuten. Einen neuen bekommen Sie über dasselbe Formular.",
    notYou: "Wenn Sie Ihre Adresse nicht eingegeben haben, ignorieren Sie diese Nachricht. Ohne den Link wird nichts angelegt.",
  },
  nothingToDo: "Es kann nicht mehr unterschrieben werden. Sie müssen nichts tun.",
  wrote: (name) => `${name} schreibt:`,
  gaveReason: (name) => `${name} hat diesen Grund angegeben:`,
  facts: {
    document: "Dokument",
    yourPart: "Ihr Teil",
    signBy: "Frist",
    answerBy: "Frist",
    completedAt: "Abgeschlossen",
    expiredAt: "Abgelaufen",
  },
  pages: (n) => plural(n, { one: "1 Seite", other: `${n} Seiten` }),
  fields: (n) => plural(n, { one: "1 Feld", other: `${n} Felder` }),
  initials: "Initialen",
  signatures: (n) => plural(n, { one: "1 Unterschrift", other: `${n} Unterschriften` }),
  reviewAndSign: "Prüfen und unterschreiben",
  reviewDocument: "Dokument prüfen",
  readDocument: "Dokument lesen",
  openDocument: "Dokument öffnen",
  openCopy: "Ihre Kopie öffnen",
  buttonFails: "Die Schaltfläche funktioniert nicht? Öffnen Sie",
  questions: (name) => `Fragen? Antworten Sie auf diese Nachricht. Ihre Antwort geht an ${name}.`,
  personal: "Dieser Link ist nur für Sie. Wer ihn hat, kann in Ihrem Namen handeln. Bitte leiten Sie diese Nachricht nicht weiter.",
  personalCopy: "Dieser Link ist nur für Sie. Wer ihn hat, kann Ihre Kopie öffnen. Bitte leiten Sie diese Nachricht nicht weiter.",
  personalReader: "Dieser Link ist nur für Sie. Wer ihn hat, kann das Dokument lesen. Bitte leiten Sie diese Nachricht nicht weiter.",
  unexpected: (sender) =>
    `Wenn Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie, oder fragen Sie ${sender}, bevor Sie den Link öffnen.`,
  notRequested: "Wenn Sie keinen neuen Link angefordert haben, können Sie diese Nachricht ignorieren.",
  sentWith: "Gesendet mit Countersign.",
};
