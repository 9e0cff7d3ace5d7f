import type { Words } from "../en.ts";
import { pluralRules } from "../plural-rules.ts";

const plural = pluralRules("en");
const people = (n: number) => plural(n, { one: "1 person", other: `${n} people` });

/** The text of the screens that are not needed to sign. The other languages have the type of this table. */
export const en = {
  cancel: "Cancel",

  notYouTitle: "This visit has ended",
  notYouLead:
    "Nothing of the document is left on this page. If the link reached you by mistake, tell the person who sent it, and delete the message.",

  agreementTitle: "This is a transferable record",
  agreementLead: "You sign as its maker. Read this text, which concerns the makers only.",
  agreementBox: "I have read this text and expressly agree that this document is a transferable record",

  questionsTitle: "Confirm your identity",
  questionsLead: (sender: string) => `${sender} has set questions that only you should be able to answer. Answer them to see the document.`,
  questionsAttempts: (n: number) => plural(n, { one: "You have 1 attempt.", other: `You have ${n} attempts.` }),
  questionsWrong: (left: number) =>
    `That is not correct. ${plural(left, { one: "You can try once more.", other: `You can try ${left} more times.` })}`,
  questionsAgain: "Your answers were valid for one hour. Answer again before you sign.",
  questionsOver: "These questions have expired. Here are new ones. You have not lost an attempt.",
  questionsAnswerAll: "Please answer every question.",
  codeLead: (to: string) => `To see the document, enter the code that is sent to ${to}.`,
  codeLabel: "Code from the e-mail",
  codeSend: "Send the code",
  codeSendAgain: "Send another code",
  codeAnother: "Another code is on its way. The one before no longer works.",
  codeWait: "A code is already on its way. You can request another one after a minute.",
  codeLate: (sender: string) =>
    `No e-mail yet? It may be delayed. Look in your spam folder, or ask ${sender} for another way to confirm your identity.`,
  codeNotSent: (sender: string) => `Not sent yet. We keep trying. You can wait, or ask ${sender} for another way to confirm your identity.`,
  codeFailed: (sender: string) => `The e-mail could not be sent. Ask ${sender} for another way to confirm your identity.`,
  codeLimited: "Too many codes were requested. Try again later.",
  codeOver: "This code no longer works. Request another one.",
  codeMissing: "Please enter the code.",
  codeExpired: "You confirmed your identity more than an hour ago.",
  accessCodeLead: (sender: string) => `To see the document, enter the access code that you have from ${sender}.`,
  accessCodeLabel: "Access code",

  uploadHint: "A photo or scan of your signature on white paper, as PNG, JPEG or WebP.",
  uploadBad: "This file could not be read as an image.",
  uploadBig: "This image has too much detail. Please choose a simpler one.",
  preview: "Preview",

  senderSaid: (sender: string) => `Reason given by ${sender}:`,

  doneTitle: "You have signed",
  doneAt: (time: string) => `Signed on ${time}`,
  doneCount: (signed: number, total: number) => `Signed by ${signed} of ${total}.`,
  doneAll: "Everyone has signed.",
  doneWaiting: "You will get an e-mail when everyone has signed.",
  doneReference: "Reference",
  download: "Download your copy",
  downloadSoFar: "Download current version",
  copyLater: "Your copy is being sealed. It will be ready in a moment.",
  copyMuchLater: "Your copy is taking longer than usual. Come back later, or use the link in your e-mail.",
  closePage: "You can close this page.",

  declineTitle: "Decline to sign?",
  declineLead: (sender: string) => `No one will be able to sign this document any more. ${sender} will see that you declined.`,
  declineReason: "Reason, shown to the sender",
  declineDo: "Decline",
  declinedTitle: "You have declined to sign",
  declinedLead: (sender: string) => `${sender} can see that you declined.`,
  withdrawTitle: "Withdraw your consent?",
  withdrawLead: "You cannot sign until you consent again. Your entries stay saved. Your signatures are removed.",
  withdrawDo: "Withdraw consent",
  paperTitle: "Sign on paper instead?",
  paperLead: (sender: string) =>
    `You get the document to print and sign in ink, and ${sender} will see that you want to sign on paper. Ask ${sender} how to return it. Until then you can still sign it here.`,
  paperDo: "Get the paper",
  paperDone: (sender: string) =>
    `Print the document and sign it in ink. ${sender} can see that you want to sign on paper. You can still sign it here.`,
  laterDone: (address: string) => `Your entries are saved. An e-mail with the link is being sent to ${address}.`,
  downloadCertificate: "Download the certificate",
  consentText: "Consent",
  certificate: "Certificate",

  waitingTitle: "It is not your turn yet",
  waitingLead: (before: number, isMailed: boolean) =>
    `${people(before)} ${before === 1 ? "has" : "have"} to finish before you. ${isMailed ? "You will get an e-mail when it is your turn. " : ""}This page updates automatically.`,
  lockedTitle: "This document is locked",
  lockedLead: (sender: string) => `There were too many wrong answers. Ask ${sender} to let you try again.`,
  identityUnavailableTitle: "Your questions are not ready yet",
  identityUnavailableLead: (sender: string) => `${sender} has not set your identity questions yet. This page updates automatically.`,
  viewing: (email: string) => `You are viewing this document as ${email}. Only signers can fill it in and sign it.`,
  viewingWithheld: "Only signers who have confirmed their identity can see this document.",

  approveTitle: "Approve this document?",
  approveLead: (sender: string) => `${sender} asks for your decision. Read the document, then approve or reject it.`,
  approveDo: "Approve",
  approvedTitle: "You have approved this document",
  rejectDo: "Reject",
  rejectTitle: "Reject this document?",
  rejectLead: (sender: string) => `No one will be able to sign this document any more. ${sender} will see that you rejected it, and why.`,
  rejectedTitle: "You have rejected this document",
  rejectedLead: (sender: string) => `${sender} can see that you rejected it, and why.`,
  confirmTitle: "Please read this document",
  confirmLead: (sender: string) => `${sender} asks you to confirm that you have read it. You do not sign anything.`,
  confirmDo: "I have read it",
  confirmedTitle: "You have confirmed that you read this document",
  copyLead: (sender: string) => `${sender} wants you to have this document. You do not need to do anything.`,
  copyWaitingTitle: "There is nothing to read yet",
  copyWaitingLead: "You can read the document here once it is ready for you. This page updates automatically.",
  senderWrote: (sender: string) => `${sender} wrote:`,
  changedSince: "The document has changed since you opened it. Please read it again.",
  othersOpen: "Others still have to act. The document is not complete yet.",
  removedTitle: "You are no longer a recipient of this document",
  removedLead: "The sender has changed who gets this document. Contact the sender if you expected to act on it.",

  mailedLinkTitle: "Use the link in your e-mail",
  mailedLinkLead: (sender: string) => `${sender} only accepts signatures made with the link in your e-mail. Open that link to sign.`,
  wholeLinkLead: "Open the complete link in your e-mail, or have a new link sent to the signer’s e-mail address.",
  newLink: "Send me a new link",
  newLinkAsked:
    "If the document can still be opened, a new link is being sent to the signer’s e-mail address. At most three links are sent per hour.",
  notFoundTitle: "This link is not valid",
  notFoundLead: "Check that you have the complete link, or ask the sender for a new one.",
  voidedTitle: "This document was withdrawn",
  voidedLead: "It can no longer be signed. Contact the sender if you expected to sign it.",
  expiredTitle: "The signing deadline has passed",
  expiredLead: "Ask the sender to send the document again.",
  declinedByOtherTitle: "This document was declined",
  declinedByOtherLead: "It was declined or rejected, so no one can sign it any more. Ask the sender what happens next.",
  endedTitle: "Your session has ended",
  endedLead: "Saved entries are kept.",
  endedOpenAgain: "Go back to where you opened the document and open it again.",
  recordMismatchTitle: "This document cannot be opened now",
  recordMismatchLead:
    "The stored document does not match its audit trail. No one can sign it until this is repaired. The sender can see what happened.",
  problemTitle: "Something went wrong",
  problemLead: "Saved entries are kept.",
  reference: (id: string) => `Reference: ${id}`,
};

export type LazyMessages = Words<typeof en>;
