/** Screens that are not needed to sign, in one chunk with their English words. */
export { showLazyWords } from "../../i18n/lazy/lazy.ts";
export { downloadDisclosure, downloadDocument, finishLater } from "../papers.ts";
export { UploadPicture } from "../signature/upload-picture.tsx";
export { AgreementTask } from "./agreement.tsx";
export { ConfirmDialog } from "./confirm-dialog.tsx";
export { QuestionsTask } from "./questions.tsx";
export { RecipientTask } from "./recipient.tsx";
export { SessionEndedDialog } from "./session-ended.tsx";
export { SignedTask } from "./signed.tsx";
export { StateTask } from "./states.tsx";
export { ViewingTask } from "./viewing.tsx";
