import type { EventDetails } from "./messages.ts";

export type FrameEvents = { [T in keyof EventDetails]: CustomEvent<EventDetails[T]> };

/** `onCompleted` for `completed`, and so on, as frameworks name handlers. The data is in `event.detail`. */
export type EventHandlers<Type extends keyof FrameEvents> = {
  readonly [T in Type as `on${Capitalize<T>}`]?: ((event: FrameEvents[T]) => void) | undefined;
};

// The DOM has a `progress` event of another type, which these elements never fire.
type Events = Omit<HTMLElementEventMap, keyof FrameEvents> & FrameEvents;
type Listener<T extends keyof Events> = (this: HTMLElement, event: Events[T]) => unknown;

/** An element with typed event listeners. */
interface ListenedElement extends HTMLElement {
  addEventListener<T extends keyof Events>(type: T, listener: Listener<T>, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<T extends keyof Events>(type: T, listener: Listener<T>, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** `HTMLElement` does not exist on servers that render pages and import the elements. */
export const BaseElement = (globalThis.HTMLElement ?? class {}) as { new (): ListenedElement; prototype: ListenedElement };
