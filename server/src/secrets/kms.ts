import type { OrgId } from "../shared/ids.ts";

/** Which key is wrapped. A wrapped key that is moved to another row cannot be unwrapped. */
export interface KeyContext {
  readonly org: OrgId;
  readonly key_no: number;
}

/** A key service: encrypts the keys of organizations under a key that is not in the database. */
export interface Kms {
  /** Names the service and its key. It is stored with each wrapped key, so it never changes. */
  readonly id: string;
  wrap(key: Uint8Array, context: KeyContext): Promise<Buffer>;
  unwrap(wrapped: Uint8Array, context: KeyContext): Promise<Buffer>;
}

/** The one for new keys, and all that can unwrap. */
export interface KeyServices {
  readonly current: Kms;
  readonly all: readonly Kms[];
}

/** The service cannot be reached, is overloaded or denies access. This says nothing about the wrapped keys. */
export class KmsUnavailable extends Error {
  override readonly name = "KmsUnavailable";
}

/** The wrapped key was changed, or belongs to another key of the service or to another row. */
export class CannotUnwrap extends Error {
  override readonly name = "CannotUnwrap";
}

export const contextText = ({ org, key_no }: KeyContext): string => `org key ${org} ${key_no}`;
