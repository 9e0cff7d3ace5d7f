import { join } from "node:path";
import type { Db } from "../db/connect.ts";
import type { OrgKeys } from "../secrets/org-keys.ts";
import { blobKeys } from "./blob-keys.ts";
import type { ObjectStore } from "./blob-store.ts";
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
  return { db, blobs: encryptedStore(buildObjects({ dataDir, s3 }), keys), keys };
}

/** What is stored as it is stored, for backups. */
export const buildObjects = ({ dataDir, s3 }: Pick<StorageSettings, "dataDir" | "s3">): ObjectStore =>
  s3 === null ? filesystemObjects(join(dataDir, "blobs")) : s3Objects(s3);
