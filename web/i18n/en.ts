import type { FieldType } from "@countersign/client/types";
import { pluralRules } from "./plural-rules.ts";

const plural = pluralRules("en");
const seconds = (n: number) => plural(n, { one: "1 second", other: `${n} seconds` });

/** The text of the signing page up to the signature; `lazy/` has the rest. The other languages have the type of this table, so a missing text does not compile. */
export const en = {
  skip: "Skip to your next step",
  loading: "Opening the document…",
  from: (sender: string) => `From ${sender}`,
  menu: "Menu",
  close: "Close",
  back: "Back",
  next: "Next",
  continue: "Continue",
  tryAgain: "Try again",
  language: "Language",
  textView: "Text view",
  pictureView: "Page view",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  optional: "optional",
  required: "required",

  yourFields: "Your fields",
  nextStep: "Your next step",
  showTask: "Show your next step",
  hideTask: "Show more of the document",
  pages: "Document",
  page: (n: number, total: number) => `Page ${n} of ${total}`,
  onPage: (n: number) => `page ${n}`,
  pageLoading: (n: number) => `Loading page ${n}`,
  pageFailed: (n: number) => `Page ${n} could not be loaded.`,
  reading: "Reading the document",
  pageBefore: "Previous page",
  pageAfter: "Next page",
  goToPage: (total: number) => `Go to page, 1 to ${total}`,
  pageList: "Pages",
  leftOnPage: (n: number) => plural(n, { one: "1 required field left", other: `${n} required fields left` }),
  pageIsPicture: "This page is an image. Ask the sender for a text version.",

  signingAs: (name: string) => `Signing as ${name}`,
  viewingAs: (email: string) => `Viewing as ${email}`,
  notYou: "Not you?",

  consentTitle: "Before you sign",
  consentLead: (sender: string) => `${sender} has asked you to sign this document.`,
  consentDisclosure: "Consent to use electronic records and signatures",
  consentBox: "I have read this text and agree to sign this document electronically",
  consentTick: "Tick the box to continue. The menu has other ways.",
  consentWait: "One moment, the first page is still loading.",
  expiresOn: (date: string) => `Please sign by ${date}.`,

  fieldsTitle: "Fill in and sign",
  fieldsOf: (done: number, total: number) => `${done} of ${total}`,
  fieldsProgress: (done: number, total: number) => `${done} of ${total} required fields completed`,
  step: (n: number, total: number) => `Field ${n} of ${total}`,
  editField: (name: string, page: number) => `Edit ${name}, page ${page}`,
  signField: (name: string, page: number) => `Sign here: ${name}, page ${page}`,
  initialField: (name: string, page: number) => `Initial here: ${name}, page ${page}`,
  signHere: "Sign here",
  initialHere: "Initial here",
  signedHere: "Signed",
  remove: "Remove",
  changeSignature: "Change signature",
  changeInitials: "Change initials",
  applyToOthers: (n: number) => plural(n, { one: "Apply to the other place", other: `Apply to the other ${n} places` }),
  choose: "Choose…",
  today: "Today",
  filledIn: "done",
  mustChange: "change this",
  review: "Review",
  change: "Change",
  saved: "Saved",
  saving: "Saving…",
  notSaved: "Not saved, trying again",
  values: { true: "Yes", false: "No" },

  errors: {
    required: "Please fill this in.",
    invalid_value: {
      text: "This contains characters that cannot be used here.",
      number: "Please enter a number, such as 1200 or 1200.50.",
      date: "Please enter a date.",
      checkbox: "Please choose one of the options.",
      select: "Please choose one of the options.",
      radio: "Please choose one of the options.",
    } satisfies Record<ValueType, string>,
    does_not_fit: "This is too long for its space. Please shorten it.",
  },
  undrawable: (characters: string) => `This cannot be written in the document: ${characters}. Please remove it.`,

  adoptTitle: { signature: "Your signature", initials: "Your initials" },
  adoptLead: "Used for this document only.",
  adopt: { signature: "Use this signature", initials: "Use these initials" },
  adoptLater: "The service has not answered. Try again.",
  adoptRefused: "This signature cannot be used. Type your name, or draw it again.",
  method: "How to sign",
  draw: "Draw",
  type: "Type",
  upload: "Upload",
  drawHere: "Draw here with a finger, pen or mouse",
  drawFull: "The drawing is too long. Undo or clear it.",
  drawByKeyboard: "You can also type your name.",
  clear: "Clear",
  undo: "Undo",
  tooLittle: "Too little to see. Draw more, or type your name.",
  typeName: { signature: "Your name", initials: "Your initials" },
  style: "Style",
  styles: { "dancing-script": "Flowing", caveat: "Handwritten", "great-vibes": "Formal", plain: "Plain" },
  uploadChoose: "Choose an image",
  markAlt: (name: string) => `Signature of ${name}`,

  reviewTitle: "Review and sign",
  reviewLead: "Check your entries. The pages show the document as it will be sealed.",
  reviewEmpty: "left empty",
  reviewChange: (name: string) => `Change ${name}`,
  sign: "Sign",
  sending: {
    first: "Sending your signature…",
    again: "The service has not confirmed your signature yet. Sending it again. Keep this page open.",
  },
  notSigned: {
    stale: "You have not signed yet: the document changed while you were reading. Check the current version, then sign again.",
    rejected: "You have not signed yet: the marked fields must be corrected first.",
    interrupted: "You have not signed yet: the service has not recorded your signature. Check the document, then sign again.",
  },
  signedMeanwhile: (names: readonly string[]) =>
    `${names.join(", ")} signed after you opened the document. The pages show the current version.`,

  printNote: "This is not the signed document. Download your copy after you have signed.",

  decline: "Decline",
  withdraw: "Withdraw consent",
  withdrawn: "Your consent is withdrawn. You can give it again.",
  paper: "Sign on paper instead",
  later: "Finish later",
  downloadFirst: "Download to read or print",
  downloadConsent: "Download the consent text",

  endsIn: (n: number) => `Your session ends in ${seconds(n)}. Saved entries are kept.`,
  stay: "Stay",
  offline: "No connection. What you entered is still here. Trying again.",
  busy: (n: number) => `Too many requests. Trying again in ${seconds(n)}.`,
  serverTrouble: "The service is not responding correctly. Trying again.",
};

/** Types whose values are typed or chosen; signatures and initials are made, so no value of theirs is wrong. */
type ValueType = Exclude<FieldType, "signature" | "initials" | "label">;

/** The same table in any language. */
export type Words<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends (...args: infer A) => string ? (...args: A) => string : Words<T[K]>;
};
export type Messages = Words<typeof en>;
