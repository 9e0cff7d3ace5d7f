import { partOf } from "../ui/part.tsx";
// Two of the parts use it. Importing it here keeps it out of a chunk of its own.
import "../ui/dialog.tsx";
import { flush } from "./autosave.ts";

/** Parts that are loaded later, because not every signer needs them. */

/** Saves the entries, then reloads the page to get the current version. */
const startAnew = () => void flush().then(() => location.reload());

const later = () => import("./screens/later.ts");

export const questionsPart = partOf(async () => (await later()).QuestionsTask, startAnew);
export const askingPart = partOf(async () => (await later()).AskingDialog, startAnew);
/** Loaded before the token expires, because the network may be gone by then. */
export const overPart = partOf(async () => (await later()).OverDialog, startAnew);
export const statePart = partOf(async () => (await later()).StateTask, startAnew);
export const signedPart = partOf(async () => (await later()).SignedTask, startAnew);
export const viewingPart = partOf(async () => (await later()).ViewingTask, startAnew);
export const adoptPart = partOf(async () => (await import("./signature/adopt-dialog.tsx")).AdoptDialog, startAnew);
