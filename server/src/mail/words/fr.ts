import type { MailWords } from "./en.ts";
import { pluralRules } from "./plural-rules.ts";

const plural = pluralRules("fr");

export const fr: MailWords = {
  invitation: {
    subject: ({ sender, document }) => `${sender} vous demande de signer : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, veuillez lire et signer`,
    intro: ({ from }) => `${from} vous a envoyé un document à lire et à signer.`,
  },
  turn: {
    subject: ({ document }) => `C’est à vous de signer : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, c’est à vous de signer`,
    intro: ({ from }) => `Les personnes qui vous précèdent ont signé. ${from} vous demande maintenant votre signature.`,
    afterOthers: ({ from }) => `Les personnes avant vous ont terminé. ${from} vous demande maintenant votre signature.`,
  },
  reminder: {
    subject: ({ document }) => `Rappel de signature : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, pensez à signer`,
    intro: ({ from }) => `${from} attend encore votre signature.`,
    decline: "Si vous ne souhaitez pas signer, vous pouvez refuser sur la même page. Vous ne recevrez alors plus de rappel.",
  },
  corrected: {
    subject: ({ document }) => `Nouveau lien de signature : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, voici votre nouveau lien`,
    intro: ({ org }) => `${org} a corrigé vos coordonnées pour un document qui attend votre signature.`,
    earlier: "Votre ancien lien ne fonctionne plus. Utilisez celui-ci à la place.",
  },
  link: {
    subject: ({ document }) => `Votre lien de signature : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, voici votre nouveau lien`,
    intro: ({ from }) => `Vous avez demandé un nouveau lien. ${from} vous a envoyé ce document à signer.`,
  },
  copy: {
    subject: ({ document }) => `Lien vers votre document : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, voici votre document`,
    intro: ({ from }) => `Vous avez demandé un nouveau lien vers un document de ${from} que vous avez signé.`,
    others: ({ from }) => `Vous avez demandé un nouveau lien vers un document de ${from}.`,
  },
  completed: {
    subject: ({ document }) => `Tout le monde a signé : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, tout le monde a signé`,
    intro: ({ from }) => `Le document de ${from} est complet.`,
    keep: "Veuillez en conserver une copie.",
    attached: "Le document signé est joint à ce message. Veuillez le conserver.",
  },
  voided: {
    subject: ({ document }) => `Retiré : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, ce document a été retiré`,
    intro: ({ org }) => `${org} a retiré un document qui vous avait été envoyé.`,
  },
  declined: {
    subject: ({ document }) => `Refusé : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, ce document a été refusé`,
    intro: ({ from }) => `Un signataire a refusé un document que ${from} vous a envoyé.`,
    rejected: ({ from }) => `Une personne chargée d’approuver a rejeté un document que ${from} vous a envoyé.`,
  },
  expired: {
    subject: ({ document }) => `Expiré : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, ce document a expiré`,
    intro: ({ from }) => `Tout le monde n’a pas signé à temps le document de ${from}. Il ne peut plus être signé.`,
    again: ({ sender }) => `Si vous souhaitez encore le signer, demandez à ${sender} de le renvoyer.`,
    incomplete: ({ from }) => `Le document de ${from} n’a pas été terminé à temps. Il ne peut plus l’être.`,
    needed: ({ sender }) => `S’il est toujours nécessaire, demandez à ${sender} de le renvoyer.`,
  },
  approver: {
    invitation: {
      subject: ({ sender, document }) => `${sender} demande votre approbation : ${document}`,
      heading: ({ name }) => `Bonjour ${name}, veuillez examiner ce document`,
      intro: ({ from }) => `${from} vous demande de lire un document et de l’approuver ou de le rejeter.`,
    },
    reminder: {
      subject: ({ document }) => `Rappel, à approuver ou à rejeter : ${document}`,
      heading: ({ name }) => `Bonjour ${name}, pensez à examiner ce document`,
      intro: ({ from }) => `${from} attend toujours votre décision.`,
    },
  },
  viewer: {
    invitation: {
      subject: ({ sender, document }) => `${sender} vous demande de lire : ${document}`,
      heading: ({ name }) => `Bonjour ${name}, veuillez lire ce document`,
      intro: ({ from }) => `${from} vous demande de lire un document et de confirmer que vous l’avez lu.`,
    },
    reminder: {
      subject: ({ document }) => `Rappel, à lire : ${document}`,
      heading: ({ name }) => `Bonjour ${name}, pensez à lire ce document`,
      intro: ({ from }) => `${from} attend toujours que vous confirmiez que vous l’avez lu.`,
    },
  },
  cc: {
    subject: ({ sender, document }) => `${sender} vous envoie un document à lire : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, voici un document pour votre information`,
    intro: ({ from }) =>
      `${from} a envoyé ce document à d’autres personnes pour signature et souhaite que vous l’ayez aussi. Vous n’avez rien à faire.`,
    later: "S’il est terminé, vous recevrez le document signé par e-mail.",
  },
  code: {
    subject: ({ document }) => `Votre code : ${document}`,
    heading: ({ name }) => `Bonjour ${name}, voici votre code`,
    intro: ({ from }) => `Saisissez ce code sur la page du document de ${from}.`,
    label: "Code",
    validFor: "Le code est valable 10 minutes.",
    keep: "Ne transmettez pas ce code. Si vous ne l’avez pas demandé, ignorez ce message.",
  },
  form: {
    subject: ({ document }) => `Votre lien : ${document}`,
    heading: "Ouvrez votre document",
    intro: ({ org }) => `Cette adresse e-mail a été saisie dans un formulaire de ${org}. Ce lien vous permet d’ouvrir le document.`,
    validFor: "Le lien est valable 30 minutes. Vous pouvez en obtenir un autre avec le même formulaire.",
    notYou: "Si vous n’avez pas saisi votre adresse, ignorez ce message. Rien n’est créé tant que le lien n’est pas utilisé.",
  },
  nothingToDo: "Il ne peut plus être signé. Vous n’avez rien à faire.",
  wrote: (name) => `${name} vous écrit :`,
  gaveReason: (name) => `${name} a donné cette raison :`,
  facts: {
    document: "Document",
    yourPart: "Votre part",
    signBy: "Date limite",
    answerBy: "À faire avant le",
    completedAt: "Terminé",
    expiredAt: "Expiré",
  },
  pages: (n) => plural(n, { one: `${n} page`, other: `${n} pages` }),
  fields: (n) => plural(n, { one: `${n} champ`, other: `${n} champs` }),
  initials: "initiales",
  signatures: (n) => plural(n, { one: `${n} signature`, other: `${n} signatures` }),
  reviewAndSign: "Lire et signer",
  reviewDocument: "Examiner le document",
  readDocument: "Lire le document",
  openDocument: "Ouvrir le document",
  openCopy: "Ouvrir votre copie",
  buttonFails: "Le bouton ne fonctionne pas ? Ouvrez",
  questions: (name) => `Des questions ? Répondez à ce message. Votre réponse sera envoyée à ${name}.`,
  personal: "Ce lien est personnel. Toute personne qui le possède peut agir en votre nom : ne transférez pas ce message.",
  personalCopy: "Ce lien est personnel. Toute personne qui l’a peut ouvrir votre copie : ne transférez pas ce message.",
  personalReader: "Ce lien est personnel. Toute personne qui l’a peut lire le document. Veuillez ne pas transférer ce message.",
  unexpected: (sender) => `Si vous n’attendiez pas ce message, ignorez-le ou demandez à ${sender} avant d’ouvrir le lien.`,
  notRequested: "Si vous n’avez pas demandé de nouveau lien, vous pouvez ignorer ce message.",
  sentWith: "Envoyé avec Countersign.",
};
