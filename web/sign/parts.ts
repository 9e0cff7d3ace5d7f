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
/** Does something with a paper of the signer. */
export const withPapers = (run: (papers: Awaited<ReturnType<typeof loadLazyScreens>>) => Promise<boolean>): void =>
  void loadLazyScreens().then(run, saveAndReload);

export const agreementPart = partOf(async () => (await loadLazyScreens()).AgreementTask, saveAndReload);
export const pageBarPart = partOf(
  async () => (await import("./reading-tools.ts")).PageBar,
  () => undefined,
);
export const thumbnailsPart = partOf(
  async () => (await import("./reading-tools.ts")).Thumbnails,
  () => undefined,
);
export const adoptPart = partOf(async () => (await import("./signature/adopt-dialog.tsx")).AdoptDialog, saveAndReload);
