import { partOf } from "../ui/part.tsx";
// Two of the parts use it. Importing it here keeps it out of a chunk of its own.
import "../ui/dialog.tsx";
import { flush } from "./autosave.ts";

/** Parts that are loaded later, because not every signer needs them. */

/** Saves the entries, then reloads the page to get the current version. */
const saveAndReload = () => void flush().then(() => location.reload());

const loadLazyScreens = () => import("./screens/lazy.ts");

export const questionsPart = partOf(async () => (await loadLazyScreens()).QuestionsTask, saveAndReload);
export const confirmPart = partOf(async () => (await loadLazyScreens()).ConfirmDialog, saveAndReload);
/** Loaded before the token expires, because the network may be gone by then. */
export const sessionEndedPart = partOf(async () => (await loadLazyScreens()).SessionEndedDialog, saveAndReload);
export const statePart = partOf(async () => (await loadLazyScreens()).StateTask, saveAndReload);
export const signedPart = partOf(async () => (await loadLazyScreens()).SignedTask, saveAndReload);
export const viewingPart = partOf(async () => (await loadLazyScreens()).ViewingTask, saveAndReload);
export const thumbnailsPart = partOf(
  async () => (await import("./thumbnails.tsx")).Thumbnails,
  () => undefined,
);
export const adoptPart = partOf(async () => (await import("./signature/adopt-dialog.tsx")).AdoptDialog, saveAndReload);
