import { randomInt } from "node:crypto";
import type { Tx } from "../../db/sql.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../shared/durations.ts";
import type { MessageId, OrgId } from "../../shared/ids.ts";
import type { DetailCode } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import type { Slug } from "../../shared/slugs.ts";
import type { Hashing } from "./kba/answers.ts";
import { CHALLENGE_MINUTES } from "./kba/kba-store.ts";

/**
 * A way in which a person proves who they are, by something that they enter or do on the page: a code, the signature of a device, a check
 * by a service outside. Identity questions are in `kba/`. `methods.test.ts` is what every method must pass.
 */
export interface Method {
  readonly name: MethodName;
  /** who judges the answers, as the evidence names it: `builtin`, or the service outside */
  readonly provider: string;
  /** how many wrong answers there can be: to one challenge, or with `locks` since the last pass or reset */
  readonly tries: number;
  /** whether too many wrong answers lock the person until the sender lets them try again; otherwise only the challenge is over */
  readonly locks: boolean;
  /** how long a challenge can be answered */
  readonly minutes: number;
  /** null if the sender gives nothing with the requirement */
  readonly material: Material | null;
  /** null if a challenge is nothing but the time in which an answer counts */
  readonly issuing: Issuing | null;
  /** What the service lacks to require it; null if it can be required. */
  lacks(able: Able): Fault | null;
  /** Where something is sent, shortened; null if nothing is. */
  hint(person: Person): string | null;
  /**
   * Judges an answer in the form in which the endpoint of the method took it; one of another form is a failure. `pending`: nothing is
   * decided and nothing recorded, and the same challenge can be answered again. Slow on purpose, or outside the service, so MUST be called
   * outside transactions.
   */
  judge(hashing: Hashing, answer: unknown, against: Against): Promise<Outcome>;
}

export type Outcome = "passed" | "failed" | "pending";

/** The person as a method knows them. */
export interface Person {
  readonly slug: Slug;
  readonly email: string;
  readonly name: string;
  /** what is kept of what the sender gave; null if the method takes nothing */
  readonly material: string | null;
}

export interface Against {
  readonly person: Person;
  /** of the challenge, as `make` returned it; null without `issuing` */
  readonly kept: string | null;
}

/** What the service can do for an organization. */
export interface Able {
  readonly methods: Methods;
  readonly mailsCodes: boolean;
}

export interface Fault {
  readonly code: DetailCode;
  readonly message: string;
}

/** What a sender gives with the requirement, so that the person can be recognized by it. */
export interface Material {
  /** What is wrong with it; null if nothing. */
  faultOf(given: string): Fault | null;
  /** As it is kept. Slow on purpose, so MUST be called outside transactions. */
  keep(hashing: Hashing, given: string): Promise<string>;
}

/** A challenge that is made for the person. */
export interface Issuing {
  readonly perChallenge: number;
  readonly againAfterSeconds: number;
  /** What is counted each time, in this order. A subject names no one: it is stored as it is. */
  quotas(org: OrgId, person: Person): readonly Quota[];
  /** Slow on purpose, or outside the service, so MUST be called outside transactions. */
  make(hashing: Hashing, person: Person): Promise<Made>;
  /** null if nothing is sent. Returns the id of our message; null if another service sends it */
  readonly send: ((way: Way, secret: string) => Promise<MessageId | null>) | null;
  /** What the page needs to answer the challenge, from what is kept of it; null if the person has it from elsewhere. */
  tell(kept: string): unknown;
}

/** How a method reaches the person, in the transaction that records it. */
export interface Way {
  readonly tx: Tx;
  readonly org: OrgId;
  readonly person: Person;
  /** Mails a code to the person's address on record. */
  mailCode(code: string): Promise<MessageId>;
}

export interface Quota {
  readonly subject: string;
  readonly limit: number;
  readonly seconds: number;
}

export interface Made {
  /** what is sent */
  readonly secret: string;
  /** what is stored with the challenge, and handed to `judge` */
  readonly kept: string;
}

export const methodNames = ["email_code", "access_code"] as const;
export type MethodName = (typeof methodNames)[number];
export type Methods = Readonly<Record<MethodName, Method>>;

const CODES = 1_000_000;

/** `a***@example.com` */
function maskedAddress({ email }: Pick<Person, "email">): string {
  const at = email.lastIndexOf("@");
  return `${[...email][0] ?? ""}***${email.slice(at)}`;
}

/** As it is compared: character width and white space around it do not count. */
export const plainCode = (code: string): string => code.normalize("NFKC").trim();
/** Digits may be entered in groups. */
const plainDigits = (code: string): string => code.normalize("NFKC").replace(/\s/gu, "");

async function outcomeOf({ proofs, org }: Hashing, stored: string | null, code: string | null): Promise<Outcome> {
  if (stored === null || code === null) return "failed";
  return (await proofs.verify(stored, code, { known: true, group: org })) ? "passed" : "failed";
}

const textOf = (answer: unknown): string | null => (typeof answer === "string" ? answer : null);

// So that continuous guessing by someone who has the link stays hopeless for as long as an envelope is open.
const CODES_PER_DAY = 20;
const CODES_PER_HOUR = 6;

function quotasOfCodes({ slug }: { readonly slug: Slug }): readonly Quota[] {
  // By its hash, because the slug is part of a link.
  const subject = `identity-code:${sha256(slug).toString("hex")}`;
  return [
    { subject, limit: CODES_PER_HOUR, seconds: HOUR_SECONDS },
    { subject: `${subject}:day`, limit: CODES_PER_DAY, seconds: DAY_SECONDS },
  ];
}

const emailCode: Method = {
  name: "email_code",
  provider: "builtin",
  tries: 5,
  locks: false,
  minutes: CHALLENGE_MINUTES,
  material: null,
  issuing: {
    perChallenge: 3,
    againAfterSeconds: 60,
    quotas: (_org, person) => quotasOfCodes(person),
    async make({ proofs, org }) {
      const secret = String(randomInt(CODES)).padStart(6, "0");
      return { secret, kept: await proofs.hash(secret, { known: true, group: org }) };
    },
    send: (way, code) => way.mailCode(code),
    tell: () => null,
  },
  lacks: ({ mailsCodes }) =>
    mailsCodes ? null : { code: "mail_not_set_up", message: "needs a mail server. The operator sets SMTP_URL first" },
  hint: maskedAddress,
  judge: (hashing, answer, { kept }) => {
    const code = textOf(answer);
    return outcomeOf(hashing, kept, code === null ? null : plainDigits(code));
  },
};

export const MIN_CODE_CHARACTERS = 6;

const accessCode: Method = {
  name: "access_code",
  provider: "builtin",
  tries: 5,
  locks: true,
  minutes: CHALLENGE_MINUTES,
  material: {
    faultOf: (given) =>
      [...plainCode(given)].length >= MIN_CODE_CHARACTERS
        ? null
        : { code: "too_small", message: `must have at least ${MIN_CODE_CHARACTERS} characters, without spaces around them` },
    keep: ({ proofs, org }, given) => proofs.hash(plainCode(given), { known: true, group: org }),
  },
  issuing: null,
  lacks: () => null,
  hint: () => null,
  judge: (hashing, answer, { person: { material } }) => {
    const code = textOf(answer);
    return outcomeOf(hashing, material, code === null ? null : plainCode(code));
  },
};

export const methods: Methods = { email_code: emailCode, access_code: accessCode };
