import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import type { Certified } from "./receiver.ts";
import { until } from "./until.ts";

/** A syslog receiver over TLS on loopback, which reads messages with the length before each. */
export interface SyslogPeer {
  readonly url: string;
  readonly messages: readonly string[];
  received(count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startSyslog(tls: Certified): Promise<SyslogPeer> {
  const messages: string[] = [];
  const server = createServer({ key: tls.key, cert: tls.cert }, (socket) => {
    let rest = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let space = rest.indexOf(" "); space > 0; space = rest.indexOf(" ")) {
        const length = Number(rest.subarray(0, space).toString());
        const end = space + 1 + length;
        if (rest.length < end) return;
        messages.push(rest.subarray(space + 1, end).toString());
        rest = rest.subarray(end);
      }
    });
    // A sender that does not trust the certificate ends the connection.
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `syslog+tls://127.0.0.1:${port}`,
    messages,
    async received(count) {
      await until(`${count} messages, of which came ${messages.length}`, async () => messages.length >= count);
      return messages;
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}
