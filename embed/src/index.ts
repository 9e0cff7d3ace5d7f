/** Defines <countersign-sign> and <countersign-vault>. On a server, where there are no elements, it defines nothing. */
import { FrameElement } from "./frame-element.ts";

export type { EventHandlers, FrameEvents } from "./base-element.ts";
export { type EventDetails, signEvents, vaultEvents } from "./messages.ts";
export {
  type HiddenPart,
  type Prefill,
  type SignatureMethod,
  type SignOptions,
  signOptions,
  type Theme,
  type VaultOptions,
  vaultOptions,
} from "./options.ts";
export type { Renew } from "./renew.ts";

/** The signing page of one envelope. */
export class CountersignSign extends FrameElement {
  constructor() {
    super("sign", "Document to sign");
  }
}

/** The vault page of one envelope. */
export class CountersignVault extends FrameElement {
  constructor() {
    super("vault", "Document in the vault");
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "countersign-sign": CountersignSign;
    "countersign-vault": CountersignVault;
  }
}

// If this script is loaded twice, the elements of the first copy are kept.
for (const [name, element] of [
  ["countersign-sign", CountersignSign],
  ["countersign-vault", CountersignVault],
] as const) {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
}
