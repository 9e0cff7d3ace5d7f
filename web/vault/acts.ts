import type { VaultKnownFile, VaultVerification } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { ApiError, isTemporary } from "../http.ts";
import { fileName, saveFile } from "../ui/save-file.ts";
import { call, callForFile } from "./api.ts";
import { readAgain, settleAct } from "./conduct.ts";
import { log, readLog, readOlder } from "./log.ts";
import { record, verification } from "./record.ts";

/** The actions of the reader. Each runs once at a time; a failure is shown next to its button, and the action can be retried. */

export type Act = "copy" | "certificate" | "json" | "evidence" | "verify" | "file" | "log";
const underway = signal<readonly Act[]>([]);
export const isUnderway = (act: Act): boolean => underway.value.includes(act);
export const failed = signal<{ readonly act: Act; readonly reference: string | null } | null>(null);
/** the last checked file; `known` is null if it does not belong to this record */
export const checkedFile = signal<{ readonly name: string; readonly known: VaultKnownFile | null } | null>(null);

async function attempt(act: Act, run: () => Promise<void>): Promise<void> {
  if (isUnderway(act)) return;
  underway.value = [...underway.value, act];
  failed.value = null;
  try {
    await run();
  } catch (error) {
    const isShown = await settleAct(error);
    if (!isShown) failed.value = { act, reference: error instanceof ApiError && !isTemporary(error) ? error.request_id : null };
    // A DOMException means that the file could not be read. Anything else is a bug.
    if (!(error instanceof ApiError || isTemporary(error) || error instanceof DOMException)) throw error;
  } finally {
    underway.value = underway.value.filter((one) => one !== act);
  }
}

/** Updates the open access log with the new entry. */
async function followLog(): Promise<void> {
  if (log.value !== null) await readLog();
}

const files = {
  copy: { fetch: () => callForFile("GET /copy"), ending: "-copy.pdf" },
  certificate: { fetch: () => callForFile("GET /certificate"), ending: "-certificate.pdf" },
  json: { fetch: () => callForFile("GET /certificate", { query: { format: "file" } }), ending: "-certificate.json" },
  evidence: { fetch: () => callForFile("GET /evidence"), ending: "-evidence.zip" },
};

export function takeAway(what: keyof typeof files): Promise<void> {
  const { fetch, ending } = files[what];
  return attempt(what, async () => {
    saveFile(await fetch(), fileName(record.value?.envelope.name ?? "") + ending);
    await followLog();
  });
}

export function verifyNow(): Promise<void> {
  return attempt("verify", async () => takeFound(await call("POST /verify", { body: {} })));
}

function takeFound(found: VaultVerification): Promise<void> {
  verification.value = found;
  if (found.state === "tampered") tellHost({ type: "problem", code: "tampered" });
  // The state may have changed to tampered, and the time of the last verification has changed.
  return readAgain();
}

/** Hashes the file in the browser. It is not uploaded. */
export function checkFile(file: File): Promise<void> {
  return attempt("file", async () => {
    checkedFile.value = null;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const found = await call("POST /verify", { body: { sha256 } });
    await takeFound(found);
    checkedFile.value = { name: file.name, known: found.file };
  });
}

export const openLog = (): Promise<void> => attempt("log", readLog);
export const openOlder = (): Promise<void> => attempt("log", readOlder);
