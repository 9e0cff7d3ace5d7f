/** What is not on the way to the signature, in one part of the page. */
export { takePicture } from "../signature/picture.ts";
export { AskingDialog } from "./asking-dialog.tsx";
export { OverDialog } from "./over.tsx";
export { QuestionsTask } from "./questions.tsx";
export { SignedTask } from "./signed.tsx";
export { StateTask } from "./states.tsx";
export { ViewingTask } from "./viewing.tsx";
