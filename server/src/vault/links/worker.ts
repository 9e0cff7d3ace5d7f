import { parentPort, workerData } from "node:worker_threads";
import { unzipBundle, verifyBundle } from "@countersign/verify";

/** Runs the verifier on a bundle of another vault, in a thread of its own: it opens PDFs, which the main thread never does. */
const { zip, root } = workerData as { readonly zip: Uint8Array; readonly root: string };
const { outcome, steps } = await verifyBundle(() => unzipBundle(Buffer.from(zip)), { root, tsa_roots: null });
const failed = steps.find(({ passed }) => !passed);
parentPort?.postMessage(
  outcome === "VERIFIED"
    ? { verified: true }
    : { verified: false, says: failed === undefined ? outcome : `${failed.name}: ${failed.file ?? ""} ${failed.says}` },
);
