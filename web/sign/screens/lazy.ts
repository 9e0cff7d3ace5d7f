/** Screens that are not needed to sign, in one chunk. */
export { downloadDisclosure, downloadDocument, finishLater } from "../papers.ts";
export { extractInk } from "../signature/picture.ts";
export { AgreementTask } from "./agreement.tsx";
export { ConfirmDialog } from "./confirm-dialog.tsx";
export { QuestionsTask } from "./questions.tsx";
export { SessionEndedDialog } from "./session-ended.tsx";
export { SignedTask } from "./signed.tsx";
export { StateTask } from "./states.tsx";
export { ViewingTask } from "./viewing.tsx";
