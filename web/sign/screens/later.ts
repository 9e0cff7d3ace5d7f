/** Screens that are not needed to sign, in one chunk. */
export { takePicture } from "../signature/picture.ts";
export { AskingDialog } from "./asking-dialog.tsx";
export { OverDialog } from "./over.tsx";
export { QuestionsTask } from "./questions.tsx";
export { SignedTask } from "./signed.tsx";
export { StateTask } from "./states.tsx";
export { ViewingTask } from "./viewing.tsx";
