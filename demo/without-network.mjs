// Loaded before a program (node --import) that must run without a network: opening a connection, sending a packet or resolving a name
// throws an error.
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/** @returns {never} */
function refuse() {
  throw new Error("this program was started without a network");
}

net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.createSocket = refuse;
for (const ask of [dns, dns.promises]) Object.assign(ask, { lookup: refuse, resolve: refuse });
syncBuiltinESMExports();
