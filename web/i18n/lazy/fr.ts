import { pluralRules } from "../plural-rules.ts";
import type { LazyMessages } from "./en.ts";

const plural = pluralRules("fr");

export const fr: LazyMessages = {
  cancel: "Annuler",

  notYouTitle: "Cette visite est terminée",
  notYouLead:
    "Il ne reste rien du document sur cette page. Si le lien vous est parvenu par erreur, prévenez la personne qui l’a envoyé et supprimez le message.",

  agreementTitle: "Ceci est un «\u00a0transferable record\u00a0»",
  agreementLead: "Vous signez en tant qu’émetteur. Lisez ce texte, qui ne concerne que les émetteurs.",
  agreementBox: "J’ai lu ce texte et j’accepte expressément que ce document soit un «\u00a0transferable record\u00a0»",

  questionsTitle: "Confirmez votre identité",
  questionsLead: (sender) =>
    `${sender} a préparé des questions dont vous devriez être la seule personne à connaître les réponses. Vous pourrez ensuite voir le document.`,
  questionsAttempts: (n) => plural(n, { one: `Vous avez ${n} essai.`, other: `Vous avez ${n} essais.` }),
  questionsWrong: (left) =>
    `Ce n’est pas exact. ${plural(left, { one: "Vous pouvez essayer encore une fois.", other: `Vous pouvez essayer encore ${left} fois.` })}`,
  questionsAgain: "Vos réponses étaient valables une heure. Veuillez répondre de nouveau avant de signer.",
  questionsOver: "Ces questions ont expiré. En voici de nouvelles. Cela ne compte pas comme un essai.",
  questionsAnswerAll: "Veuillez répondre à toutes les questions.",
  codeLead: (to) => `Pour voir le document, saisissez le code envoyé à ${to}.`,
  codeLabel: "Code reçu par e-mail",
  codeSend: "Envoyer le code",
  codeSendAgain: "Envoyer un autre code",
  codeAnother: "Un autre code est en route. Le précédent n’est plus valable.",
  codeWait: "Un code est déjà en route. Vous pourrez en demander un autre dans une minute.",
  codeLate: (sender) =>
    `Pas encore d’e-mail\u00a0? Il peut avoir du retard. Regardez dans les courriers indésirables ou demandez à ${sender} un autre moyen de confirmer votre identité.`,
  codeNotSent: (sender) =>
    `Pas encore envoyé. Nous continuons d’essayer. Vous pouvez attendre ou demander à ${sender} un autre moyen de confirmer votre identité.`,
  codeFailed: (sender) => `L’e-mail n’a pas pu être envoyé. Demandez à ${sender} un autre moyen de confirmer votre identité.`,
  codeLimited: "Trop de codes ont été demandés. Réessayez plus tard.",
  codeOver: "Ce code n’est plus valable. Demandez-en un autre.",
  codeMissing: "Veuillez saisir le code.",
  codeExpired: "Vous avez confirmé votre identité il y a plus d’une heure.",
  accessCodeLead: (sender) => `Pour voir le document, saisissez le code d’accès que vous tenez de ${sender}.`,
  accessCodeLabel: "Code d’accès",

  uploadHint: "Une photo ou un scan de votre signature sur papier blanc, en PNG, JPEG ou WebP.",
  uploadBad: "Ce fichier n’a pas pu être lu comme image.",
  uploadBig: "Cette image contient trop de détails. Veuillez en choisir une plus simple.",
  preview: "Aperçu",

  senderSaid: (sender) => `Motif indiqué par ${sender} :`,

  doneTitle: "Vous avez signé",
  doneAt: (time) => `Signé le ${time}`,
  doneCount: (signed, total) => `Ont signé\u00a0: ${signed} sur ${total}.`,
  doneAll: "Tout le monde a signé.",
  doneWaiting: "Vous recevrez un e-mail quand tout le monde aura signé.",
  doneReference: "Référence",
  download: "Télécharger votre copie",
  downloadSoFar: "Télécharger la version actuelle",
  copyLater: "Votre copie est en cours de scellement. Elle sera prête dans un instant.",
  copyMuchLater: "Votre copie prend plus de temps que d’habitude. Revenez plus tard sur cette page, ou utilisez le lien reçu par e-mail.",
  closePage: "Vous pouvez fermer cette page.",

  declineTitle: "Refuser de signer\u00a0?",
  declineLead: (sender) => `Plus personne ne pourra signer ce document. ${sender} verra que vous avez refusé.`,
  declineReason: "Motif, visible par l’expéditeur",
  declineDo: "Refuser",
  declinedTitle: "Vous avez refusé de signer",
  declinedLead: (sender) => `${sender} peut voir que vous avez refusé.`,
  withdrawTitle: "Retirer votre consentement\u00a0?",
  withdrawLead:
    "Vous ne pourrez alors plus signer ici avant de le donner à nouveau. Ce que vous avez rempli reste enregistré\u00a0; les signatures apposées sont retirées.",
  withdrawDo: "Retirer le consentement",
  paperTitle: "Signer plutôt sur papier\u00a0?",
  paperLead: (sender) =>
    `Vous recevez le document à imprimer et à signer à l’encre. ${sender} verra que vous souhaitez signer sur papier. Demandez à ${sender} comment le retourner. D’ici là, vous pouvez encore le signer ici.`,
  paperDo: "Obtenir le papier",
  paperDone: (sender) =>
    `Imprimez le document et signez-le à l’encre. ${sender} peut voir que vous souhaitez signer sur papier. Vous pouvez encore le signer ici.`,
  laterDone: (address) => `Vos saisies sont enregistrées. Un e-mail avec le lien est envoyé à ${address}.`,
  downloadCertificate: "Télécharger le certificat",
  consentText: "Consentement",
  certificate: "Certificat",

  waitingTitle: "Ce n’est pas encore votre tour",
  waitingLead: (before, isMailed) =>
    `${plural(before, { one: `${before} personne doit terminer`, other: `${before} personnes doivent terminer` })} avant vous. ${isMailed ? "Vous recevrez un e-mail quand ce sera votre tour. " : ""}Cette page se met à jour automatiquement.`,
  lockedTitle: "Ce document est verrouillé",
  lockedLead: (sender) => `Il y a eu trop de réponses inexactes. Demandez à ${sender} de vous laisser réessayer.`,
  identityUnavailableTitle: "Vos questions ne sont pas encore prêtes",
  identityUnavailableLead: (sender) =>
    `${sender} n’a pas encore préparé vos questions. Cette page se mettra à jour automatiquement dès qu’elles seront prêtes.`,
  viewing: (email) => `Vous consultez ce document en tant que ${email}. Seuls les signataires peuvent remplir et signer.`,
  viewingWithheld: "Seuls les signataires qui ont confirmé leur identité peuvent voir ce document.",

  approveTitle: "Approuver ce document\u00a0?",
  approveLead: (sender) => `${sender} vous demande votre décision. Lisez le document, puis approuvez-le ou rejetez-le.`,
  approveDo: "Approuver",
  approvedTitle: "Vous avez approuvé ce document",
  rejectDo: "Rejeter",
  rejectTitle: "Rejeter ce document\u00a0?",
  rejectLead: (sender) => `Plus personne ne pourra signer ce document. ${sender} verra que vous l’avez rejeté, et pourquoi.`,
  rejectedTitle: "Vous avez rejeté ce document",
  rejectedLead: (sender) => `${sender} peut voir que vous l’avez rejeté, et pourquoi.`,
  confirmTitle: "Veuillez lire ce document",
  confirmLead: (sender) => `${sender} vous demande de confirmer que vous l’avez lu. Vous ne signez rien.`,
  confirmDo: "Je l’ai lu",
  confirmedTitle: "Vous avez confirmé avoir lu ce document",
  copyLead: (sender) => `${sender} souhaite que vous ayez ce document. Vous n’avez rien à faire.`,
  copyWaitingTitle: "Il n’y a encore rien à lire",
  copyWaitingLead: "Vous pourrez lire le document ici dès qu’il sera prêt pour vous. Cette page se met à jour automatiquement.",
  senderWrote: (sender) => `${sender} a écrit\u00a0:`,
  changedSince: "Le document a changé depuis que vous l’avez ouvert. Veuillez le relire.",
  othersOpen: "D’autres personnes doivent encore agir. Le document n’est pas encore terminé.",
  removedTitle: "Ce document ne vous est plus destiné",
  removedLead: "L’expéditeur a changé les destinataires de ce document. Contactez-le si vous deviez le traiter.",

  mailedLinkTitle: "Utilisez le lien de votre e-mail",
  mailedLinkLead: (sender) =>
    `${sender} n’accepte que les signatures faites avec le lien de l’e-mail qui vous a été envoyé. Ouvrez ce lien pour signer.`,
  wholeLinkLead:
    "Cette adresse seule n’ouvre aucun document. Ouvrez le lien complet de votre e-mail, ou faites envoyer un nouveau lien à l’adresse e-mail du signataire.",
  newLink: "M’envoyer un nouveau lien",
  newLinkAsked:
    "Si le document peut encore être ouvert, un nouveau lien est en cours d’envoi à l’adresse e-mail du signataire. Trois au plus sont envoyés par heure.",
  notFoundTitle: "Ce lien n’est pas valable",
  notFoundLead: "Vérifiez que vous avez le lien complet, ou demandez-en un nouveau à l’expéditeur.",
  voidedTitle: "Ce document a été retiré",
  voidedLead: "L’expéditeur l’a retiré\u00a0; il ne peut plus être signé. Adressez-vous à l’expéditeur si vous pensiez le signer.",
  expiredTitle: "Le délai pour signer est dépassé",
  expiredLead: "Demandez à l’expéditeur d’envoyer le document à nouveau.",
  declinedByOtherTitle: "Ce document a été refusé",
  declinedByOtherLead: "Une personne l’a refusé\u00a0; plus personne ne peut le signer. Demandez à l’expéditeur quelle est la suite.",
  endedTitle: "Votre session est terminée",
  endedLead: "Les saisies enregistrées sont conservées.",
  endedOpenAgain: "Revenez là où vous avez ouvert le document et ouvrez-le de nouveau.",
  recordMismatchTitle: "Ce document ne peut pas être ouvert pour le moment",
  recordMismatchLead:
    "Le document enregistré ne correspond pas à son journal d’audit. Personne ne peut le signer tant que ce n’est pas corrigé. L’expéditeur peut voir ce qui s’est passé.",
  problemTitle: "Un problème est survenu",
  problemLead: "Les saisies enregistrées sont conservées.",
  reference: (id) => `Référence\u00a0: ${id}`,
};
