import type { Words } from "../../mail/message.ts";
import { oneLine } from "../../mail/plain-text.ts";
import { writeLetter } from "../../mail/write-letter.ts";

/** Messages to people who act for parties of vaulted records. Codes are not in subjects, which phones show on a locked screen. */

const IGNORE = "If you did not request a code, ignore this message and do not share the code.";

export function logInCodeMail(code: string): Words {
  return writeLetter({
    kind: "person_login_code",
    subject: "Your Countersign log-in code",
    opening: ["Enter this code to log in and see the requests that wait for you:", code, "The code works once, for 10 minutes."],
    closing: [IGNORE],
  });
}

export function actCodeMail(code: string, summary: string): Words {
  return writeLetter({
    kind: "person_act_code",
    subject: "Your Countersign code for one request",
    opening: [
      `Enter this code to decide on this request: ${oneLine(summary)}`,
      code,
      "The code works once, for 10 minutes, and for this request only.",
    ],
    closing: [IGNORE],
  });
}

export interface PasskeyChange {
  readonly change: "added" | "removed";
  /** the name that the person gave the passkey */
  readonly name: string;
  readonly email: string;
  readonly at: Date;
  readonly ip: string;
  /** the party that the reader and the person belong to; null if the reader is the person */
  readonly party_name: string | null;
}

const clock = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

export function passkeyChangedMail({ change, name, email, at, ip, party_name }: PasskeyChange): Words {
  const [whose, what] = [oneLine(email), oneLine(name)];
  const about = [`Time: ${clock.format(at)} UTC`, `IP address: ${ip}`];
  if (party_name === null) {
    return writeLetter({
      kind: "passkey_changed",
      subject: `A passkey was ${change}`,
      opening: [`The passkey “${what}” of ${whose} was ${change}. You confirm requests with your passkeys.`, ...about],
      closing: ["If this was you, you do not need to do anything. If not, tell the other people of your party at once."],
    });
  }
  const party = oneLine(party_name);
  return writeLetter({
    kind: "passkey_changed",
    subject: `${party}: a passkey was ${change}`,
    opening: [`${whose}, who confirms requests for ${party} as you do, has ${change} the passkey “${what}”.`, ...about],
    closing: [`If you did not expect this, ask ${whose} in another way than by e-mail.`],
  });
}
