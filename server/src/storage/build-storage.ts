import { join } from "node:path";
import type { Db } from "../db/connect.ts";
import type { OrgKeys } from "../secrets/org-keys.ts";
import { blobKeys } from "./blob-keys.ts";
import { encryptedStore } from "./encrypted.ts";
import { filesystemObjects } from "./filesystem.ts";
import { s3Objects } from "./s3.ts";
import type { StorageDeps } from "./store-blob.ts";

export interface StorageSettings {
  readonly dataDir: string;
  readonly s3: Parameters<typeof s3Objects>[0] | null;
  readonly encryptBlobs: boolean;
}

/** Stores blobs in a bucket if one is configured, otherwise on this machine's disk; encrypted under keys that are in the database. */
export function buildStorage({ dataDir, s3, encryptBlobs }: StorageSettings, db: Db, orgKeys: OrgKeys): StorageDeps {
  const keys = blobKeys({ db, orgKeys, isOn: encryptBlobs });
  const objects = s3 === null ? filesystemObjects(join(dataDir, "blobs")) : s3Objects(s3);
  return { db, blobs: encryptedStore(objects, keys), keys };
}
