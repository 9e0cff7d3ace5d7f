import type { MailWords } from "./en.ts";
import { pluralRules } from "./plural-rules.ts";

const plural = pluralRules("es");

export const es: MailWords = {
  invitation: {
    subject: ({ sender, document }) => `${sender} le pide que firme: ${document}`,
    heading: ({ name }) => `Hola, ${name}: lea y firme el documento`,
    intro: ({ from }) => `${from} le ha enviado un documento para leer y firmar.`,
  },
  turn: {
    subject: ({ document }) => `Es su turno de firmar: ${document}`,
    heading: ({ name }) => `Hola, ${name}: es su turno de firmar`,
    intro: ({ from }) => `Las personas anteriores ya han firmado. ${from} le pide ahora su firma.`,
    afterOthers: ({ from }) => `Las personas anteriores han terminado. ${from} le pide ahora su firma.`,
  },
  reminder: {
    subject: ({ document }) => `Recordatorio de firma: ${document}`,
    heading: ({ name }) => `Hola, ${name}: recuerde firmar`,
    intro: ({ from }) => `${from} sigue esperando su firma.`,
    decline: "Si no quiere firmar, puede rechazar el documento en la misma página. No recibirá más recordatorios.",
  },
  corrected: {
    subject: ({ document }) => `Nuevo enlace para firmar: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este es su nuevo enlace`,
    intro: ({ org }) => `${org} ha corregido sus datos en un documento que espera su firma.`,
    earlier: "Su enlace anterior ya no funciona. Use este en su lugar.",
  },
  link: {
    subject: ({ document }) => `Su enlace para firmar: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este es su nuevo enlace`,
    intro: ({ from }) => `Ha pedido un nuevo enlace. ${from} le envió este documento para firmar.`,
  },
  copy: {
    subject: ({ document }) => `Enlace a su documento: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este es su documento`,
    intro: ({ from }) => `Ha pedido un nuevo enlace a un documento de ${from} que usted firmó.`,
    others: ({ from }) => `Ha solicitado un nuevo enlace a un documento de ${from}.`,
  },
  completed: {
    subject: ({ document }) => `Todos han firmado: ${document}`,
    heading: ({ name }) => `Hola, ${name}: todos han firmado`,
    intro: ({ from }) => `El documento de ${from} está completo.`,
    keep: "Conserve una copia.",
    attached: "El documento firmado está adjunto a este mensaje. Consérvelo.",
  },
  voided: {
    subject: ({ document }) => `Retirado: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este documento se ha retirado`,
    intro: ({ org }) => `${org} ha retirado un documento que se le había enviado.`,
  },
  declined: {
    subject: ({ document }) => `Rechazado: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este documento se ha rechazado`,
    intro: ({ from }) => `Un firmante ha rechazado un documento que ${from} le envió.`,
    rejected: ({ from }) => `Una persona que debía aprobarlo ha rechazado un documento que ${from} le envió.`,
  },
  expired: {
    subject: ({ document }) => `Caducado: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este documento ha caducado`,
    intro: ({ from }) => `No todos firmaron a tiempo el documento de ${from}. Ya no se puede firmar.`,
    again: ({ sender }) => `Si todavía quiere firmarlo, pida a ${sender} que lo envíe de nuevo.`,
    incomplete: ({ from }) => `El documento de ${from} no se completó a tiempo. Ya no se puede completar.`,
    needed: ({ sender }) => `Si todavía hace falta, pida a ${sender} que lo envíe de nuevo.`,
  },
  approver: {
    invitation: {
      subject: ({ sender, document }) => `${sender} le pide su aprobación: ${document}`,
      heading: ({ name }) => `Hola, ${name}: revise este documento`,
      intro: ({ from }) => `${from} le pide que lea un documento y que lo apruebe o lo rechace.`,
    },
    reminder: {
      subject: ({ document }) => `Recordatorio para aprobar o rechazar: ${document}`,
      heading: ({ name }) => `Hola, ${name}: recuerde revisar este documento`,
      intro: ({ from }) => `${from} sigue esperando su decisión.`,
    },
  },
  viewer: {
    invitation: {
      subject: ({ sender, document }) => `${sender} le pide que lea: ${document}`,
      heading: ({ name }) => `Hola, ${name}: lea este documento`,
      intro: ({ from }) => `${from} le pide que lea un documento y que confirme que lo ha leído.`,
    },
    reminder: {
      subject: ({ document }) => `Recordatorio para leer: ${document}`,
      heading: ({ name }) => `Hola, ${name}: recuerde leer este documento`,
      intro: ({ from }) => `${from} sigue esperando que confirme que lo ha leído.`,
    },
  },
  cc: {
    subject: ({ sender, document }) => `${sender} le envía un documento para leer: ${document}`,
    heading: ({ name }) => `Hola, ${name}: aquí tiene un documento para su información`,
    intro: ({ from }) =>
      `${from} ha enviado este documento a otras personas para que lo firmen y quiere que usted también lo tenga. No tiene que hacer nada.`,
    later: "Si se completa, recibirá el documento firmado por correo electrónico.",
  },
  code: {
    subject: ({ document }) => `Su código: ${document}`,
    heading: ({ name }) => `Hola, ${name}: este es su código`,
    intro: ({ from }) => `Introduzca este código en la página del documento de ${from}.`,
    label: "Código",
    validFor: "El código es válido durante 10 minutos.",
    keep: "No comparta el código. Si no lo ha solicitado, ignore este mensaje.",
  },
  form: {
    subject: ({ document }) => `Su enlace: ${document}`,
    heading: "Abra su documento",
    intro: ({ org }) =>
      `Esta dirección de correo electrónico se escribió en un formulario de ${org}. Con este enlace puede abrir el documento.`,
    validFor: "El enlace es válido durante 30 minutos. Puede obtener otro en el mismo formulario.",
    notYou: "Si no escribió su dirección, ignore este mensaje. No se crea nada si no se usa el enlace.",
  },
  nothingToDo: "Ya no se puede firmar. No tiene que hacer nada.",
  wrote: (name) => `${name} escribe:`,
  gaveReason: (name) => `${name} indicó este motivo:`,
  facts: {
    document: "Documento",
    yourPart: "Su parte",
    signBy: "Fecha límite",
    answerBy: "Plazo",
    completedAt: "Completado",
    expiredAt: "Caducado",
  },
  pages: (n) => plural(n, { one: "1 página", other: `${n} páginas` }),
  fields: (n) => plural(n, { one: "1 campo", other: `${n} campos` }),
  initials: "iniciales",
  signatures: (n) => plural(n, { one: "1 firma", other: `${n} firmas` }),
  reviewAndSign: "Leer y firmar",
  reviewDocument: "Revisar el documento",
  readDocument: "Leer el documento",
  openDocument: "Abrir el documento",
  openCopy: "Abrir su copia",
  buttonFails: "¿El botón no funciona? Abra",
  questions: (name) => `¿Preguntas? Responda a este mensaje. Su respuesta llegará a ${name}.`,
  personal: "Este enlace es personal. Quien lo tenga puede actuar en su nombre, así que no reenvíe este mensaje.",
  personalCopy: "Este enlace es personal. Quien lo tenga puede abrir su copia: no reenvíe este mensaje.",
  personalReader: "Este enlace es personal. Cualquiera que lo tenga puede leer el documento; no reenvíe este mensaje.",
  unexpected: (sender) => `Si no esperaba este mensaje, ignórelo o pregunte a ${sender} antes de abrir el enlace.`,
  notRequested: "Si no ha pedido un nuevo enlace, puede ignorar este mensaje.",
  sentWith: "Enviado con Countersign.",
};
