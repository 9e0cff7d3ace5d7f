import { pluralRules } from "../plural-rules.ts";
import type { LazyMessages } from "./en.ts";

const plural = pluralRules("es");

export const es: LazyMessages = {
  cancel: "Cancelar",

  notYouTitle: "Esta visita ha terminado",
  notYouLead:
    "No queda nada del documento en esta página. Si el enlace le llegó por error, avise a la persona que lo envió y elimine el mensaje.",

  agreementTitle: "Este es un «transferable record»",
  agreementLead: "Usted firma como emisor. Lea este texto, que solo se refiere a los emisores.",
  agreementBox: "He leído este texto y acepto expresamente que este documento es un «transferable record»",

  questionsTitle: "Confirme su identidad",
  questionsLead: (sender) => `${sender} ha preparado preguntas que solo usted debería poder responder. Después podrá ver el documento.`,
  questionsAttempts: (n) => plural(n, { one: "Tiene 1 intento.", other: `Tiene ${n} intentos.` }),
  questionsWrong: (left) =>
    `No es correcto. ${plural(left, { one: "Puede intentarlo una vez más.", other: `Puede intentarlo ${left} veces más.` })}`,
  questionsAgain: "Sus respuestas fueron válidas durante una hora. Responda de nuevo antes de firmar.",
  questionsOver: "Estas preguntas han caducado. Aquí tiene otras nuevas. Esto no cuenta como intento.",
  questionsAnswerAll: "Responda a todas las preguntas, por favor.",
  codeLead: (to) => `Para ver el documento, introduzca el código que se envía a ${to}.`,
  codeLabel: "Código del correo",
  codeSend: "Enviar el código",
  codeSendAgain: "Enviar otro código",
  codeAnother: "Otro código está en camino. El anterior ya no es válido.",
  codeWait: "Ya hay un código en camino. Podrá pedir otro dentro de un minuto.",
  codeLate: (sender) =>
    `¿Aún no ha llegado? El correo puede retrasarse. Mire en la carpeta de correo no deseado o pida a ${sender} otra forma de confirmar su identidad.`,
  codeNotSent: (sender) =>
    `Aún no se ha enviado. Seguimos intentándolo. Puede esperar o pedir a ${sender} otra forma de confirmar su identidad.`,
  codeFailed: (sender) => `No se pudo enviar el correo. Pida a ${sender} otra forma de confirmar su identidad.`,
  codeLimited: "Se han pedido demasiados códigos. Inténtelo más tarde.",
  codeOver: "Este código ya no es válido. Pida otro.",
  codeMissing: "Introduzca el código, por favor.",
  codeExpired: "Confirmó su identidad hace más de una hora.",
  accessCodeLead: (sender) => `Para ver el documento, introduzca el código de acceso que tiene de ${sender}.`,
  accessCodeLabel: "Código de acceso",

  uploadHint: "Una foto o un escaneo de su firma sobre papel blanco, en PNG, JPEG o WebP.",
  uploadBad: "Este archivo no se pudo leer como imagen.",
  uploadBig: "Esta imagen tiene demasiados detalles. Elija una más sencilla, por favor.",
  preview: "Vista previa",

  senderSaid: (sender) => `Motivo indicado por ${sender}:`,

  doneTitle: "Ha firmado",
  doneAt: (time) => `Firmado el ${time}`,
  doneCount: (signed, total) => `Firmado por ${signed} de ${total}.`,
  doneAll: "Todos han firmado.",
  doneWaiting: "Recibirá un correo cuando todos hayan firmado.",
  doneReference: "Referencia",
  download: "Descargar su copia",
  downloadSoFar: "Descargar la versión actual",
  copyLater: "Su copia se está sellando. Estará lista en un momento.",
  copyMuchLater: "Su copia tarda más de lo habitual. Vuelva a esta página más tarde, o use el enlace de su correo.",
  closePage: "Puede cerrar esta página.",

  declineTitle: "¿Rechazar la firma?",
  declineLead: (sender) => `Nadie podrá ya firmar este documento. ${sender} verá que usted lo ha rechazado.`,
  declineReason: "Motivo, visible para el remitente",
  declineDo: "Rechazar",
  declinedTitle: "Ha rechazado la firma",
  declinedLead: (sender) => `${sender} puede ver que usted lo ha rechazado.`,
  withdrawTitle: "¿Retirar su consentimiento?",
  withdrawLead:
    "Después no podrá firmar aquí hasta que lo dé de nuevo. Lo que ha rellenado queda guardado; las firmas que ha puesto se quitan.",
  withdrawDo: "Retirar el consentimiento",
  paperTitle: "¿Prefiere firmar en papel?",
  paperLead: (sender) =>
    `Recibe el documento para imprimirlo y firmarlo con tinta. ${sender} verá que desea firmar en papel. Pregunte a ${sender} cómo devolverlo. Hasta entonces todavía puede firmarlo aquí.`,
  paperDo: "Obtener el papel",
  paperDone: (sender) =>
    `Imprima el documento y fírmelo con tinta. ${sender} puede ver que desea firmar en papel. Todavía puede firmarlo aquí.`,
  laterDone: (address) => `Sus datos están guardados. Se está enviando un correo con el enlace a ${address}.`,
  downloadCertificate: "Descargar el certificado",
  consentText: "Consentimiento",
  certificate: "Certificado",

  waitingTitle: "Aún no es su turno",
  waitingLead: (before, isMailed) =>
    `${plural(before, { one: "1 persona tiene que terminar", other: `${before} personas tienen que terminar` })} antes que usted. ${isMailed ? "Recibirá un correo cuando sea su turno. " : ""}Esta página se actualiza automáticamente.`,
  lockedTitle: "Este documento está bloqueado",
  lockedLead: (sender) => `Hubo demasiadas respuestas incorrectas. Pida a ${sender} que le permita intentarlo de nuevo.`,
  identityUnavailableTitle: "Sus preguntas aún no están listas",
  identityUnavailableLead: (sender) =>
    `${sender} aún no ha preparado sus preguntas. Esta página se actualizará automáticamente cuando estén listas.`,
  viewing: (email) => `Está viendo el documento como ${email}. Solo los firmantes pueden rellenarlo y firmarlo.`,
  viewingWithheld: "Solo los firmantes que han confirmado su identidad pueden ver este documento.",

  approveTitle: "¿Aprobar este documento?",
  approveLead: (sender) => `${sender} le pide su decisión. Lea el documento y después apruébelo o rechácelo.`,
  approveDo: "Aprobar",
  approvedTitle: "Ha aprobado este documento",
  rejectDo: "Rechazar",
  rejectTitle: "¿Rechazar este documento?",
  rejectLead: (sender) => `Ya nadie podrá firmar este documento. ${sender} verá que lo ha rechazado y por qué.`,
  rejectedTitle: "Ha rechazado este documento",
  rejectedLead: (sender) => `${sender} puede ver que lo ha rechazado y por qué.`,
  confirmTitle: "Lea este documento",
  confirmLead: (sender) => `${sender} le pide que confirme que lo ha leído. No firma nada.`,
  confirmDo: "Lo he leído",
  confirmedTitle: "Ha confirmado que ha leído este documento",
  copyLead: (sender) => `${sender} quiere que tenga este documento. No tiene que hacer nada.`,
  copyWaitingTitle: "Todavía no hay nada que leer",
  copyWaitingLead: "Podrá leer el documento aquí cuando esté listo para usted. Esta página se actualiza automáticamente.",
  senderWrote: (sender) => `${sender} escribió:`,
  changedSince: "El documento ha cambiado desde que lo abrió. Léalo de nuevo.",
  othersOpen: "Otras personas todavía tienen que actuar. El documento aún no está completo.",
  removedTitle: "Este documento ya no es para usted",
  removedLead: "El remitente ha cambiado quién recibe este documento. Pregúntele si usted debía tramitarlo.",

  mailedLinkTitle: "Use el enlace de su correo",
  mailedLinkLead: (sender) => `${sender} solo acepta firmas hechas con el enlace del correo que se le envió. Abra ese enlace para firmar.`,
  wholeLinkLead:
    "Esta dirección por sí sola no abre ningún documento. Abra el enlace completo de su correo, o haga que se envíe un enlace nuevo a la dirección de correo del firmante.",
  newLink: "Enviarme un enlace nuevo",
  newLinkAsked:
    "Si el documento todavía se puede abrir, se está enviando un enlace nuevo a la dirección de correo del firmante. Se envían como máximo tres por hora.",
  notFoundTitle: "Este enlace no es válido",
  notFoundLead: "Compruebe que tiene el enlace completo, o pida uno nuevo al remitente.",
  voidedTitle: "Este documento fue retirado",
  voidedLead: "El remitente lo ha retirado, así que ya no se puede firmar. Pregunte al remitente si esperaba firmarlo.",
  expiredTitle: "El plazo para firmar ha terminado",
  expiredLead: "Pida al remitente que envíe el documento de nuevo.",
  declinedByOtherTitle: "Este documento fue rechazado",
  declinedByOtherLead: "Alguien lo ha rechazado, así que ya nadie puede firmarlo. Pregunte al remitente cuál es el siguiente paso.",
  endedTitle: "Su sesión ha terminado",
  endedLead: "Los datos guardados se conservan.",
  endedOpenAgain: "Vuelva a donde abrió el documento y ábralo de nuevo.",
  recordMismatchTitle: "Este documento no se puede abrir ahora",
  recordMismatchLead:
    "El documento guardado no coincide con su registro de auditoría. Nadie puede firmarlo hasta que se corrija. El remitente puede ver lo ocurrido.",
  problemTitle: "Algo ha salido mal",
  problemLead: "Los datos guardados se conservan.",
  reference: (id) => `Referencia: ${id}`,
};
