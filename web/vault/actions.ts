import type { VaultKnownFile, VaultVerification } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { ApiError, isTemporary } from "../http.ts";
import { fileName, saveFile } from "../save-file.ts";
import { call, callForFile } from "./api.ts";
import { handleActionError, refresh } from "./load-record.ts";
import { log, readLog, readOlder } from "./log.ts";
import { record, verification } from "./record.ts";

/** The actions of the reader. Each runs once at a time; a failure is shown next to its button, and the action can be retried. */

export type Action = "copy" | "certificate" | "json" | "evidence" | "verify" | "file" | "log";
const running = signal<readonly Action[]>([]);
export const isRunning = (action: Action): boolean => running.value.includes(action);
export const failed = signal<{ readonly action: Action; readonly reference: string | null } | null>(null);
/** the last checked file; `known` is null if it does not belong to this record */
export const checkedFile = signal<{ readonly name: string; readonly known: VaultKnownFile | null } | null>(null);

async function runAction(action: Action, run: () => Promise<void>): Promise<void> {
  if (isRunning(action)) return;
  running.value = [...running.value, action];
  failed.value = null;
  try {
    await run();
  } catch (error) {
    const isShown = await handleActionError(error);
    if (!isShown) failed.value = { action, reference: error instanceof ApiError && !isTemporary(error) ? error.request_id : null };
    // A DOMException means that the file could not be read. Anything else is a bug.
    if (!(error instanceof ApiError || isTemporary(error) || error instanceof DOMException)) throw error;
  } finally {
    running.value = running.value.filter((one) => one !== action);
  }
}

/** Updates the open access log with the new entry. */
async function refreshLog(): Promise<void> {
  if (log.value !== null) await readLog();
}

const files = {
  copy: { fetch: () => callForFile("GET /copy"), ending: "-copy.pdf" },
  certificate: { fetch: () => callForFile("GET /certificate"), ending: "-certificate.pdf" },
  json: { fetch: () => callForFile("GET /certificate", { query: { format: "file" } }), ending: "-certificate.json" },
  evidence: { fetch: () => callForFile("GET /evidence"), ending: "-evidence.zip" },
};

export function download(what: keyof typeof files): Promise<void> {
  const { fetch, ending } = files[what];
  return runAction(what, async () => {
    saveFile(await fetch(), fileName(record.value?.envelope.name ?? "") + ending);
    await refreshLog();
  });
}

export function verifyNow(): Promise<void> {
  return runAction("verify", async () => applyVerification(await call("POST /verify", { body: {} })));
}

function applyVerification(found: VaultVerification): Promise<void> {
  verification.value = found;
  if (found.state === "tampered") tellHost({ type: "problem", code: "tampered" });
  // The state may have changed to tampered, and the time of the last verification has changed.
  return refresh();
}

/** Hashes the file in the browser. It is not uploaded. */
export function checkFile(file: File): Promise<void> {
  return runAction("file", async () => {
    checkedFile.value = null;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const found = await call("POST /verify", { body: { sha256 } });
    await applyVerification(found);
    checkedFile.value = { name: file.name, known: found.file };
  });
}

export const openLog = (): Promise<void> => runAction("log", readLog);
export const openOlder = (): Promise<void> => runAction("log", readOlder);
