import { partOf } from "../ui/part.tsx";
// Two of the parts need it, and on its own it would be a third.
import "../ui/dialog.tsx";
import { flush } from "./autosave.ts";

/** What not every signer needs, or not at once. */

/** What was entered is saved, and the page that the service has now is fetched. */
const startAnew = () => void flush().then(() => location.reload());

const later = () => import("./screens/later.ts");

export const questionsPart = partOf(async () => (await later()).QuestionsTask, startAnew);
export const askingPart = partOf(async () => (await later()).AskingDialog, startAnew);
/** Fetched when the token nears its end: by then the network may be gone. */
export const overPart = partOf(async () => (await later()).OverDialog, startAnew);
export const statePart = partOf(async () => (await later()).StateTask, startAnew);
export const signedPart = partOf(async () => (await later()).SignedTask, startAnew);
export const viewingPart = partOf(async () => (await later()).ViewingTask, startAnew);
export const adoptPart = partOf(async () => (await import("./signature/adopt-dialog.tsx")).AdoptDialog, startAnew);
