import { session } from "./session.ts";

/** The screens of roles that see only a part of the organization. All others show more, or nothing. */
const own: Readonly<Record<string, RegExp>> = {
  custodian: /^\/(login|vault(\/env_\w+)?|acts(\/act_\w+)?|custody|members|evidence-log|account)$/,
  security_admin: /^\/(login|members|settings(\/mail)?|sandboxes|outbox|activity|problems|evidence-log|account)$/,
};
const screens = (): RegExp | undefined => own[session.value?.role ?? ""];

/** Whether the signed-in user's role has a screen at this address of the console. */
export const canOpen = (to: string): boolean => screens()?.test(to.split("?", 1)[0] ?? to) ?? true;

/** Where a user begins. The figures of Home are about all envelopes, which not all see. */
export const startOf = (): string => ["/", "/vault", "/members"].find(canOpen) ?? "/account";
