import { pluralRules } from "../plural-rules.ts";
import type { VaultMessages } from "./en.ts";

const plural = pluralRules("de");

export const de: VaultMessages = {
  skip: "Zur Akte springen",
  keptFor: (org) => `Verwahrt für ${org}`,
  loading: "Die Akte wird geöffnet…",
  tabs: "Bereiche der Akte",
  tab: { document: "Dokument", record: "Akte", checks: "Prüfung", log: "Zugriffe" },
  tools: "Ansicht des Dokuments",

  state: {
    active: "Im Tresor",
    escrowed: "Im Tresor, wird übergeben",
    exported: "Übergeben",
    tampered: "Seit der Ablage verändert",
    destroyed: "Vernichtet",
  },
  stateLead: {
    active:
      "Hier wird das hinterlegte unterschriebene Original verwahrt. Jede Seite, die Sie sehen oder herunterladen, ist eine Kopie davon.",
    escrowed: "Hier wird das hinterlegte unterschriebene Original verwahrt, während es an einen anderen Tresor übergeben wird.",
    exported: "Das unterschriebene Original wurde übergeben und wird anderswo verwahrt. Was Sie hier sehen, ist eine Kopie.",
    tampered: "Das gespeicherte Dokument stimmt nicht mit seiner Akte überein. Bis das geklärt ist, kann nichts heruntergeladen werden.",
    destroyed: "Die Aufbewahrungsfrist ist abgelaufen und das Dokument wurde vernichtet. Zertifikat und Protokoll bleiben erhalten.",
  },
  tamperedWhere: "Fragen Sie die Organisation, die es verwahrt. Ihre Administratoren wurden benachrichtigt.",
  noPages: "Es gibt keine Seiten anzuzeigen.",
  source: {
    signed_here: "Mit diesem Dienst unterschrieben",
    electronic_signed: "Anderswo elektronisch unterschrieben",
    paper_upload: "Auf Papier unterschrieben, eingescannt",
  },

  score: (points, passed) => `${points} von 100, ${passed ? "bestanden" : "nicht bestanden"}`,
  certificateOf: (revision, date) => `Zertifikat ${revision} vom ${date}`,
  downloadCopy: "Kopie herunterladen",
  certificate: "Zertifikat",
  certificateJson: "Zertifikat als JSON",
  working: "Einen Moment…",
  failed: (reference) => `Das hat nicht geklappt. Referenz: ${reference}`,
  failedLater: "Das hat nicht geklappt. Bitte versuchen Sie es in einer Minute erneut.",

  verifyTitle: "Ist es unverändert?",
  verifyLead: "Der Dienst liest die gespeicherte Datei neu, berechnet ihren Hash, prüft das Siegel und rechnet das Protokoll nach.",
  verifiedLast: (date) => `Zuletzt geprüft am ${date}.`,
  verifiedNever: "Seit der Ablage noch nicht geprüft.",
  verifyNow: "Jetzt prüfen",
  verifying: "Wird geprüft…",
  verifySound: "Unverändert. Alles stimmt mit der Akte überein.",
  verifyBroken: "Etwas stimmt nicht mit der Akte überein.",
  verifyTook: (date, seconds) => `${date}, in ${seconds} s`,
  lines: {
    bytes: {
      sound: "Die gespeicherte Datei hat den festgehaltenen Hash",
      broken: "Die gespeicherte Datei hat einen anderen Hash",
      missing: "Die gespeicherte Datei fehlt",
    },
    seal: { sound: "Das Siegel ist unversehrt", broken: "Das Siegel ist gebrochen", unread: "Das Siegel konnte nicht geprüft werden" },
    chain: {
      sound: (entries) =>
        plural(entries, { one: "1 Eintrag des Protokolls ist unverändert", other: `${entries} Einträge des Protokolls sind unverändert` }),
      broken: "Das Protokoll wurde verändert",
    },
    registers: {
      sound: "Verwahrung, Sicherungsnehmer und Zertifikate stimmen mit dem Protokoll überein",
      different: "Verwahrung, Sicherungsnehmer oder Zertifikate weichen vom Protokoll ab",
      unread: "Verwahrung und Sicherungsnehmer konnten nicht mit dem Protokoll verglichen werden",
    },
    timestamp: {
      external: "Der Zeitstempel einer externen Stelle ist gültig",
      self_operated: "Die Zeit stammt von der Uhr dieser Installation",
      broken: "Der Zeitstempel ist ungültig",
      unread: "Der Zeitstempel konnte nicht geprüft werden",
    },
  },
  recordedHash: "Festgehalten",
  foundHash: "Gefunden",

  factsTitle: "Abgelegte Akte",
  facts: {
    source: "Herkunft",
    stored: "Abgelegt",
    copy: "Maßgebliches Exemplar",
    hash: "SHA-256",
    size: "Größe",
    until: "Aufbewahrt mindestens bis",
    hold: "Sperre",
    time: "Zeitquelle",
  },
  holdYes: "Ja. Das Dokument bleibt hier, bis die Sperre aufgehoben ist.",
  holdNo: "Keine",
  timeSource: { external: "Externe Stelle", self_operated: "Selbst betrieben (Uhr dieser Installation)" },
  bytes: (kilobytes) => `${kilobytes} KB`,

  custodyTitle: "Verwahrer",
  custodySince: (date) => `seit ${date}`,
  custodyNone: "Kein Verwahrer. Das Original hat diesen Tresor verlassen.",
  history: "Verlauf",
  custodyFirst: (to) => `${to} hat die Verwahrung bei der Ablage übernommen`,
  custodyStep: {
    pending: (from, to) => `${from} hat ${to} die Verwahrung angeboten`,
    accepted: (from, to) => `${to} hat die Verwahrung von ${from} übernommen`,
    rejected: (from, to) => `${to} hat die Verwahrung von ${from} abgelehnt`,
    cancelled: (from, to) => `${from} hat das Angebot an ${to} zurückgezogen`,
    expired: (from, to) => `Das Angebot von ${from} an ${to} ist abgelaufen`,
  },

  partyTitle: "Sicherungsnehmer",
  partyNone: "Es ist kein Sicherungsnehmer festgehalten.",
  partyStep: {
    effective: (name, consent) => (consent ? `Mit Zustimmung an ${name} abgetreten` : `${name} wurde als Sicherungsnehmer benannt`),
    pending: (name) => `Die Abtretung an ${name} steht aus`,
    refused: (name) => `Die Abtretung an ${name} wurde abgelehnt`,
  },

  evidenceTitle: "Beweismittel",
  evidenceLead: "Eine gekennzeichnete Kopie, das Zertifikat, das Protokoll und alle Nachweise in einer Datei.",
  evidenceDo: "Beweismittel herunterladen (ZIP)",
  evidenceCheck: "Ohne diesen Dienst prüfen, offline:",
  evidenceNot: "Nur Mitglieder der Organisation und die Unterzeichner können die Beweismittel herunterladen.",

  fileTitle: "Datei prüfen",
  fileLead:
    "Prüfen Sie, ob eine Datei eine Kopie dieses Dokuments ist. Ihr Hash wird auf Ihrem Computer berechnet, nichts wird hochgeladen.",
  fileChoose: "Datei wählen",
  file: {
    authoritative: "Diese Datei hat den Hash des maßgeblichen Exemplars.",
    copy: (date) => `Das ist eine unveränderte Kopie, heruntergeladen am ${date}.`,
    signed: (date) => `Das ist das unveränderte unterschriebene Dokument, heruntergeladen am ${date} vor der Ablage im Tresor.`,
    certificate: (revision) => `Das ist Zertifikat ${revision} dieser Akte, unverändert.`,
    unknown: "Diese Datei gehört nicht zu dieser Akte, oder sie wurde verändert.",
  },

  checksTitle: "Acht Prüfungen",
  checksLead: (satisfied) => `${satisfied} von 8 erfüllt`,
  satisfied: "erfüllt",
  notSatisfied: "nicht erfüllt",
  points: (n) => plural(n, { one: "1 Punkt", other: `${n} Punkte` }),
  found: "Gefunden",
  remedy: "So beheben Sie es",
  requirement: "Verlangt",
  check: {
    single_authoritative_copy: "Ein maßgebliches Exemplar",
    tamper_evident_record: "Veränderungen sind erkennbar",
    custodian: "Verwahrer",
    signatures_complete: "Unterschriften vollständig",
    consent_and_attribution: "Einwilligung und Zuordnung",
    audit_trail: "Protokoll",
    copies_and_retention: "Kopien und Aufbewahrung",
    secured_party: "Sicherungsnehmer",
  },
  remarks: "Anmerkungen",
  noOpinion: "Die Prüfungen berichten, was das System festgehalten hat. Sie sind kein Rechtsgutachten.",

  logTitle: "Zugriffsprotokoll",
  logLead: "Jeder Aufruf der Akte und jeder Download wird protokolliert, bevor die Daten ausgeliefert werden.",
  logEmpty: "Noch keine Zugriffe.",
  logMore: "Ältere anzeigen",
  logCount: (shown, total) => `${shown} von ${total}`,
  what: {
    widget: "hat die Akte angesehen",
    copy: "hat eine Kopie heruntergeladen",
    certificate: "hat das Zertifikat heruntergeladen",
    evidence: "hat die Beweismittel heruntergeladen",
    package: "hat das Übergabepaket heruntergeladen",
    other: "hat auf die Akte zugegriffen",
  },
  who: { key: "Das System der Organisation", system: "Der Dienst", erased: "Gelöscht" },

  waitingTitle: "Noch nicht im Tresor",
  waitingLead: "Das unterschriebene Dokument wird versiegelt und geprüft. Diese Seite aktualisiert sich automatisch.",
  problemLead: "Die Akte konnte nicht geöffnet werden.",
  offline: "Keine Verbindung. Neuer Versuch läuft.",
  endsIn: (seconds) => `Ihre Sitzung endet in ${plural(seconds, { one: "1 Sekunde", other: `${seconds} Sekunden` })}.`,
};
