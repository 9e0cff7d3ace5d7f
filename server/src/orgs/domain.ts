import type { ResolveTexts } from "../outbound/name-resolver.ts";
import type { DomainId } from "../shared/ids.ts";
import type { SettingsDeps } from "./org.ts";

/** Domains of an organization. One counts once it is proved, and then for no other organization. */

export interface DomainDeps extends SettingsDeps {
  readonly resolveTexts: ResolveTexts;
  /** of messages that are not about an envelope or an act */
  readonly mailRetentionDays: number;
}

export const proofMethods = ["dns", "mail"] as const;
export type ProofMethod = (typeof proofMethods)[number];

/** Mailboxes that only the people who run a domain have (RFC 2142). */
export const mailboxes = ["postmaster", "admin", "hostmaster"] as const;
export type Mailbox = (typeof mailboxes)[number];

export interface Domain {
  readonly domain_id: DomainId;
  readonly domain: string;
  /** what the TXT record must contain */
  readonly token: string;
  readonly created_at: Date;
  readonly verified_at: Date | null;
  readonly method: ProofMethod | null;
  readonly last_seen_at: Date | null;
  readonly failing_since: Date | null;
  readonly mailed_to: string | null;
}

export const recordName = (domain: string): string => `_countersign-challenge.${domain}`;

/** The domain of an address, as domains are stored. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

// Domains under which anyone can get a name or a mailbox. Someone else could prove one by mail, so that they would count for everybody's
// addresses. The list is not complete: a proof is still needed for what is not in it.
const SHARED = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com mac.com proton.me
   protonmail.com pm.me gmx.com gmx.de gmx.net gmx.at gmx.ch web.de mail.com mail.ru yandex.com yandex.ru zoho.com fastmail.com hey.com
   tutanota.com tuta.io t-online.de freenet.de posteo.de mailbox.org orange.fr free.fr laposte.net libero.it virgilio.it qq.com 163.com
   126.com naver.com comcast.net verizon.net att.net btinternet.com
   co.uk org.uk ac.uk gov.uk me.uk com.au net.au org.au gov.au edu.au co.nz org.nz co.jp or.jp ne.jp ac.jp go.jp co.kr or.kr com.cn net.cn
   org.cn com.hk com.tw com.sg com.my co.id co.th in.th com.ph com.vn co.in net.in org.in com.br net.br org.br com.mx com.ar com.co com.pe
   com.tr com.ua co.za org.za co.il org.il com.sa com.eg com.pk com.pl net.pl org.pl com.es com.pt com.gr co.at or.at
   github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com azurewebsites.net cloudfront.net amazonaws.com
   appspot.com web.app firebaseapp.com blogspot.com wordpress.com onmicrosoft.com`.split(/\s+/),
);

/** Whether a domain is no single organization's, as far as we know. */
export const isShared = (domain: string): boolean => SHARED.has(domain);
