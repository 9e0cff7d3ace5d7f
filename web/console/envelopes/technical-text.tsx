import { auditText } from "./audit-texts.ts";

/** What a technical entry of the audit trail is about. The texts are many, and most visits need none. */
export const TechnicalText = ({ type }: { type: string }) => <>{auditText(type)}</>;
