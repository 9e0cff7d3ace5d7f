import type { Words } from "../../mail/message.ts";
import { oneLine } from "../../mail/plain-text.ts";
import { writeLetter } from "../../mail/write-letter.ts";

interface Asked {
  readonly org_name: string;
  readonly party_name: string;
  /** whether it goes to admins of an organization that is the party, here or at another installation, or to a person who acts for it */
  readonly to: "organization" | "vault" | "person";
  /** only for `vault`: as the admins' organization calls the installation that asks */
  readonly vault_name?: string;
  readonly summary: string;
  readonly reason: string;
  readonly url: string;
  readonly expires_at: Date;
}

/** A name may end with a full stop itself. */
const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** To each person who can approve for a party that an act asks. */
export function askedMail({ org_name, party_name, to, vault_name = "", summary, reason, url, expires_at }: Asked): Words {
  const [org, party] = [oneLine(org_name), oneLine(party_name)];
  return writeLetter({
    kind: "act_asked",
    subject: `${org} asks ${party} to confirm a request`,
    opening: [
      `${org} asks ${party} to decide on this request: ${sentence(oneLine(summary))}`,
      ...(to === "vault"
        ? [
            `The request came from another installation, which your organization pinned as ${oneLine(vault_name)}. The name ${org} is what that installation states.`,
          ]
        : []),
      ...(reason === "" ? [] : [`Reason that ${org} gives: ${oneLine(reason)}`]),
      `${org} named ${to === "person" ? `you as a person who acts for ${party}` : `your organization as ${party}`}. Without a decision, the request expires on ${day.format(expires_at)} (UTC).`,
    ],
    link: { lead: "Read the request, and confirm or refuse it", button: "Read the request", url },
    closing: [`If you do not act for ${party}, do not confirm. Ask ${org} in another way than by replying to this message.`],
  });
}

interface Objection {
  readonly org_name: string;
  readonly party_name: string;
  readonly summary: string;
  readonly reason: string;
  readonly url: string;
  readonly waits_until: Date;
}

/** To everyone who acts or acted for a party none of whose approvers can be reached, and to the admins of the organization. */
export function objectionMail({ org_name, party_name, summary, reason, url, waits_until }: Objection): Words {
  const [org, party] = [oneLine(org_name), oneLine(party_name)];
  return writeLetter({
    kind: "approvers_lost",
    subject: `${org} replaces the approvers of ${party}`,
    opening: [
      `${org} states that no person who can confirm requests for ${party} can be reached. Two of its admins decided: ${oneLine(summary)}.`,
      `Reason that ${org} gives: ${oneLine(reason)}`,
      `Without an objection this takes effect on ${day.format(waits_until)} (UTC). You get this message because your address is known for ${party}, or because you are an admin of ${org}. Each of you can stop it.`,
    ],
    link: { lead: "Read it, and stop it if it is wrong", button: "Read it", url },
    closing: [`If you can still confirm for ${party}, stop it and tell ${org}.`],
  });
}

interface Unreachable {
  /** empty if the person no longer acts for a party of the act */
  readonly party_name: string;
  readonly address: string;
  readonly summary: string;
  readonly url: string;
}

/** To the admins of the organization whose request did not reach a person. */
export function unreachableMail({ party_name, address, summary, url }: Unreachable): Words {
  const party = oneLine(party_name);
  return writeLetter({
    kind: "act_unreachable",
    subject: "A request to confirm was not delivered",
    opening: [
      `The e-mail to ${oneLine(address)} that asks ${party === "" ? "a party" : party} to decide came back or was refused: ${oneLine(summary)}.`,
      "Until another person of the party decides, the request stays open. Nothing has changed for the record.",
    ],
    link: { lead: "See who has been asked", button: "Open the act", url },
    closing: ["Check the address with the party in another way, and add a person who can be reached."],
  });
}
