import { domainOf, type MailSender, type RecordName } from "./sender.ts";

export interface DnsRecord {
  readonly record: RecordName;
  /** the name under which the organization publishes the text */
  readonly name: string;
  /** for SPF and DMARC a suggestion: the organization may have published others */
  readonly value: string;
}

/** What the organization publishes in its DNS, all as TXT records. RFC 6376 (DKIM), RFC 7208 (SPF), RFC 7489 (DMARC). */
export function recordsOf(sender: Pick<MailSender, "from_address" | "dkim_selector" | "dkim_public">): DnsRecord[] {
  const domain = domainOf(sender);
  return [
    { record: "dkim", name: `${sender.dkim_selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${sender.dkim_public}` },
    { record: "spf", name: domain, value: "v=spf1 mx ~all" },
    { record: "dmarc", name: `_dmarc.${domain}`, value: `v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}` },
  ];
}

/** A DKIM record must have exactly our key. Of the others it is enough that there is one: the organization decides what it says. */
export function matches(record: DnsRecord, text: string): boolean {
  if (record.record === "spf") return /^v=spf1(\s|$)/i.test(text);
  if (record.record === "dmarc") return /^v=DMARC1\s*;/i.test(text);
  return tagOf(text, "p") === tagOf(record.value, "p") && /^(rsa)?$/i.test(tagOf(text, "k")) && !tagOf(text, "t").split(":").includes("y");
}

/** Whether a text under the name is of this kind at all. */
export const isOfKind = ({ record }: DnsRecord, text: string): boolean =>
  record === "dkim" ? /(^|;)\s*p=/i.test(text) : new RegExp(`^v=${record === "spf" ? "spf1" : "DMARC1"}`, "i").test(text);

function tagOf(text: string, tag: string): string {
  const found = text
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.toLowerCase().startsWith(`${tag}=`));
  return found?.slice(tag.length + 1).replace(/\s+/g, "") ?? "";
}
