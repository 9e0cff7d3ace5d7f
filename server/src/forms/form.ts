import type { Db } from "../db/connect.ts";
import type { Read } from "../db/sql.ts";
import type { EmbedDeps } from "../embed/mint-token.ts";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import type { RecipientInput } from "../envelopes/recipient-input.ts";
import { asSystem, type Caller, type Origin } from "../shared/caller.ts";
import type { FormId, OrgId, TemplateId, UserId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";

export interface FormDeps {
  readonly db: Db;
  readonly envelopes: EnvelopeDeps;
  readonly embed: EmbedDeps;
  readonly limits: FormLimits;
  /** of `orgs/` */
  lookUpLogo(read: Read, org: OrgId): Promise<Uint8Array | null>;
}

export interface FormLimits {
  readonly startsPerIpHour: number;
  /** over all organizations of the installation */
  readonly mailsPerAddressDay: number;
}

export interface FormSettings {
  /** the role in which the visitor signs */
  readonly visitor_role: string;
  /** the other people of every envelope */
  readonly recipients: readonly RecipientInput[];
  /** false: visitors sign at once, and nothing shows that the address is theirs */
  readonly verify_email: boolean;
  /** envelopes in any 24 hours */
  readonly max_per_day: number;
  readonly max_total: number | null;
  readonly closes_at: string | null;
  /** shown to the visitor after signing */
  readonly success_text: string | null;
}

export const formStates = ["open", "paused", "closed"] as const;
export type FormState = (typeof formStates)[number];

export interface Form {
  readonly form_id: FormId;
  readonly slug: Slug;
  readonly name: string;
  readonly template_id: TemplateId;
  readonly settings: FormSettings;
  /**
   * `closed`: after its last day, its last envelope or its template; `findShownForm` also says so of a template that has changed too much. A
   * form whose envelopes of the day are used up stays open
   */
  readonly state: FormState;
  /** kept while it is closed */
  readonly is_paused: boolean;
  /** envelopes that visitors have started */
  readonly opened: number;
  /** of these, the ones that everyone has finished */
  readonly completed: number;
  readonly owner_user_id: UserId | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What visitors read for a form that is paused, full, closed or unknown. */
export const notOpen = (why: string, cause?: unknown): Problem => new Problem("form_closed", why, cause === undefined ? {} : { cause });

export interface VisitorInput {
  readonly name: string;
  readonly email: string;
  readonly locale: Locale;
}

/**
 * The visitor first, in step 1 if the others have steps. An address that is not verified gets no mail: anyone could have typed it.
 */
export function peopleOf(
  { visitor_role, recipients, verify_email }: FormSettings,
  { name, email, locale }: VisitorInput,
): RecipientInput[] {
  const isStepped = recipients.some(({ kind, step }) => kind !== "cc" && typeof step === "number");
  const visitor: RecipientInput = {
    kind: "signer",
    email,
    name,
    role: visitor_role,
    locale,
    ...(isStepped && { step: 1 }),
    delivery: verify_email ? "email" : "link",
  };
  return [visitor, ...recipients];
}

const keyOf = (email: string): string => email.trim().toLowerCase();

/** Each address can have one part in a document. */
export const hasOtherPart = ({ recipients }: FormSettings, email: string): boolean =>
  recipients.some((one) => keyOf(one.email) === keyOf(email));

/** The service makes the envelope, for the visitor whose address and browser the entries name. */
export const callerFor = (org: OrgId, { ip, user_agent, request_id }: Origin): Caller => ({
  org,
  scopes: [],
  session: null,
  ...asSystem({ ip, user_agent, request_id }),
});

export const formAddress = (embedUrl: string, { slug }: Pick<Form, "slug">): string => `${embedUrl}/f/${slug}`;
