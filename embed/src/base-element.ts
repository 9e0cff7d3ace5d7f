import type { EventDetails } from "./messages.ts";

export type FrameEvents = { [T in keyof EventDetails]: CustomEvent<EventDetails[T]> };

// `progress` is also an event of the DOM's own, of another type, which these elements never have.
type Events = Omit<HTMLElementEventMap, keyof FrameEvents> & FrameEvents;
type Listener<T extends keyof Events> = (this: HTMLElement, event: Events[T]) => unknown;

/** An element whose listeners know what each event says. */
interface ListenedElement extends HTMLElement {
  addEventListener<T extends keyof Events>(type: T, listener: Listener<T>, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<T extends keyof Events>(type: T, listener: Listener<T>, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** Servers that render pages import the elements too, and have none. */
export const BaseElement = (globalThis.HTMLElement ?? class {}) as { new (): ListenedElement; prototype: ListenedElement };
