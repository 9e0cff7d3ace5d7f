import { join } from "node:path";
import type { Db } from "../db/connect.ts";
import { filesystemStore } from "./filesystem.ts";
import { s3Store } from "./s3.ts";
import type { StorageDeps } from "./store-blob.ts";

/** Stores blobs in a bucket if one is configured, otherwise on this machine's disk. */
export function buildStorage({ dataDir, s3 }: { dataDir: string; s3: Parameters<typeof s3Store>[0] | null }, db: Db): StorageDeps {
  return { db, blobs: s3 === null ? filesystemStore(join(dataDir, "blobs")) : s3Store(s3) };
}
