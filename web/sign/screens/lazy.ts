/** Screens that are not needed to sign, in one chunk. */
export { extractInk } from "../signature/picture.ts";
export { ConfirmDialog } from "./confirm-dialog.tsx";
export { QuestionsTask } from "./questions.tsx";
export { SessionEndedDialog } from "./session-ended.tsx";
export { SignedTask } from "./signed.tsx";
export { StateTask } from "./states.tsx";
export { ViewingTask } from "./viewing.tsx";
