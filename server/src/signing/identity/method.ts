import { randomInt } from "node:crypto";
import type { Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { MessageId } from "../../shared/ids.ts";
import type { Recipient, SigningDeps } from "../submission.ts";
import type { Hashing } from "./kba/answers.ts";

/** A way in which a person proves who they are, by something that they enter or do on the page. Identity questions are in `kba/`. */
export interface Method {
  /** how many wrong answers there can be: to one challenge, or with `locks` since the last pass or reset */
  readonly tries: number;
  /** whether too many wrong answers lock the person until the sender lets them try again; otherwise only the challenge is over */
  readonly locks: boolean;
  /** null if nothing is sent to the person */
  readonly sending: Sending | null;
  /** Where something is sent, shortened; null if nothing is. */
  hint(you: Pick<Recipient, "email">): string | null;
  /** Whether an answer is right. Slow on purpose, so MUST be called outside transactions. */
  check(hashing: Hashing, stored: string, answer: string): Promise<boolean>;
}

/** What the service can do for an organization. */
export interface Able {
  readonly mailsCodes: boolean;
}

export interface Sending {
  readonly perChallenge: number;
  readonly perHour: number;
  /** so that continuous guessing by someone who has the link stays hopeless for as long as an envelope is open */
  readonly perDay: number;
  readonly againAfterSeconds: number;
  /** Whether this installation can send it. */
  isPossible(deps: Able): boolean;
  /** What is sent, and its hash. Slow on purpose, so MUST be called outside transactions. */
  make(hashing: Hashing): Promise<Made>;
  send(deps: SigningDeps, tx: Tx, who: WidgetCaller, you: Recipient, code: string): Promise<MessageId>;
}

export interface Made {
  readonly code: string;
  readonly code_hash: string;
}

export const methodNames = ["email_code", "access_code"] as const;
export type MethodName = (typeof methodNames)[number];

const CODES = 1_000_000;

/** `a***@example.com` */
function maskedAddress({ email }: Pick<Recipient, "email">): string {
  const at = email.lastIndexOf("@");
  return `${[...email][0] ?? ""}***${email.slice(at)}`;
}

/** As it is compared: character width and white space around it do not count. */
export const plainCode = (code: string): string => code.normalize("NFKC").trim();
/** Digits may be entered in groups. */
const plainDigits = (code: string): string => code.normalize("NFKC").replace(/\s/gu, "");

const emailCode: Method = {
  tries: 5,
  locks: false,
  sending: {
    perChallenge: 3,
    perHour: 6,
    perDay: 20,
    againAfterSeconds: 60,
    isPossible: ({ mailsCodes }) => mailsCodes,
    async make({ proofs, org }) {
      const code = String(randomInt(CODES)).padStart(6, "0");
      return { code, code_hash: await proofs.hash(code, { known: true, group: org }) };
    },
    send: (deps, tx, who, you, code) => deps.mailCode(tx, who, you, code),
  },
  hint: maskedAddress,
  check: ({ proofs, org }, stored, answer) => proofs.verify(stored, plainDigits(answer), { known: true, group: org }),
};

const accessCode: Method = {
  tries: 5,
  locks: true,
  sending: null,
  hint: () => null,
  check: ({ proofs, org }, stored, answer) => proofs.verify(stored, plainCode(answer), { known: true, group: org }),
};

export const methods: Readonly<Record<MethodName, Method>> = { email_code: emailCode, access_code: accessCode };
