import { TLSSocket } from "node:tls";

/** The encryption of the connection that carried a message. */
export interface Tls {
  /** such as TLSv1.3 */
  readonly protocol: string;
  /** the IANA name, such as TLS_AES_256_GCM_SHA384 */
  readonly cipher: string;
}

/** What nodemailer's pool keeps about its connections. The library does not say otherwise which connection carries a message. */
interface Pool {
  readonly _connections?: readonly {
    readonly queueEntry?: { readonly mail: unknown } | false;
    readonly connection?: { readonly _socket?: unknown };
  }[];
}

/**
 * The encryption of the pool's connection that currently sends this mail. Null without TLS. If a later version of the library kept its
 * connections elsewhere, the result would be null too, which claims less than the truth.
 */
export function tlsOf(pool: unknown, mail: unknown): Tls | null {
  const connections = (pool as Pool)._connections ?? [];
  const carrier = connections.find(({ queueEntry }) => queueEntry !== undefined && queueEntry !== false && queueEntry.mail === mail);
  const socket = carrier?.connection?._socket;
  if (!(socket instanceof TLSSocket)) return null;
  const protocol = socket.getProtocol();
  return protocol === null ? null : { protocol, cipher: socket.getCipher().standardName };
}
