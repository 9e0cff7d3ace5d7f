import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";

/** A small DNS server on loopback (RFC 1035, section 4): A, AAAA and TXT records that a test sets and can change between two queries. */
export interface NameServer {
  readonly address: string;
  /** The addresses of a name: always the same list, or the next of several lists for each query, then always the last one. */
  set(name: string, ...answers: (readonly string[])[]): void;
  /** The texts of a name, in place of earlier ones. */
  setTexts(name: string, texts: readonly string[]): void;
  /** From now on, every query is answered with a failure of the server, or as usual again. */
  fail(isFailing: boolean): void;
  /** the queried names, in order */
  readonly asked: string[];
  close(): Promise<void>;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;
const TYPE_TXT = 16;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, (readonly string[])[]>();
  const rounds = new Map<string, number>();
  const texts = new Map<string, readonly string[]>();
  const asked: string[] = [];
  let failing = false;
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    if (failing) {
      socket.send(answerTo(query.subarray(0, end), type, [], SERVER_FAILURE), from.port, from.address);
      return;
    }
    if (type === TYPE_TXT) {
      const found = texts.get(name);
      const code = found === undefined ? NAME_ERROR : 0;
      socket.send(answerTo(query.subarray(0, end), type, (found ?? []).map(inPieces), code), from.port, from.address);
      return;
    }
    const answers = names.get(name);
    // One look-up queries both types of address. Each type has its own count.
    const round = rounds.get(`${name} ${type}`) ?? 0;
    rounds.set(`${name} ${type}`, round + 1);
    const all = answers?.[Math.min(round, answers.length - 1)] ?? [];
    const wanted = all.filter((address) => address.includes(":") === (type === TYPE_AAAA));
    const data = wanted.map((address) => (type === TYPE_A ? Buffer.from(address.split(".").map(Number)) : bytesOfIpv6(address)));
    socket.send(answerTo(query.subarray(0, end), type, data, answers === undefined ? NAME_ERROR : 0), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    set: (name, ...answers) => void names.set(name, answers),
    setTexts: (name, all) => void texts.set(name, all),
    fail: (isFailing) => {
      failing = isFailing;
    },
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A text is published in pieces of at most 255 bytes, each after its length. */
function inPieces(text: string): Buffer {
  const pieces = text.match(/[\s\S]{1,255}/g) ?? [""];
  return Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece, "latin1")])));
}

function answerTo(question: Buffer, type: number, all: readonly Buffer[], code: number): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(all.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = all.map((data) => {
    const record = Buffer.alloc(12);
    // The name is a pointer to the query's, at byte 12. The time to live is 0, so that nothing is cached.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

/** Written as eight groups, or with one `::`. */
function bytesOfIpv6(address: string): Buffer {
  const [left = "", right] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(left).length - groups(right ?? "").length;
  const all = [...groups(left), ...Array.from({ length: right === undefined ? 0 : missing }, () => "0"), ...groups(right ?? "")];
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, "0"), "hex")));
}
