/** <countersign-sign> and <countersign-vault> as React components. On a server they render an empty element. */
import {
  type EventHandlers,
  type FrameEvents,
  type CountersignSign as SignElement,
  type SignOptions,
  signEvents,
  signOptions,
  type CountersignVault as VaultElement,
  type VaultOptions,
  vaultEvents,
  vaultOptions,
} from "@countersign/embed";
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";

export type {
  EventDetails,
  FrameEvents,
  HiddenPart,
  Prefill,
  Renew,
  SignatureMethod,
  SignOptions,
  Theme,
  VaultOptions,
} from "@countersign/embed";
export type { SignElement, VaultElement };

type Props<Element, Own> = Own & Omit<HTMLAttributes<Element>, keyof Own | "children" | "dangerouslySetInnerHTML">;

export type CountersignSignProps = Props<SignElement, SignOptions & EventHandlers<keyof FrameEvents>>;
export type CountersignVaultProps = Props<VaultElement, VaultOptions & EventHandlers<(typeof vaultEvents)[number]>>;

/** The signing page of one envelope. The ref is the element. */
export const CountersignSign = componentOf<SignElement, CountersignSignProps>("countersign-sign", signOptions, signEvents);

/** The vault page of one envelope. The ref is the element. */
export const CountersignVault = componentOf<VaultElement, CountersignVaultProps>("countersign-vault", vaultOptions, vaultEvents);

type Values = Readonly<Record<string, unknown>>;

function componentOf<Element extends HTMLElement, P extends object>(
  tag: string,
  options: readonly string[],
  events: readonly string[],
): ForwardRefExoticComponent<P & RefAttributes<Element>> {
  const own = new Set([...options, ...events.map(handlerOf), "className"]);

  const component = forwardRef<Element, Values>((props, ref) => {
    const element = useRef<Element>(null);
    useImperativeHandle(ref, () => element.current as Element, []);

    // Handlers are looked up when an event arrives: the latest are called, and a new one replaces no listener.
    const latest = useRef(props);
    useEffect(() => {
      latest.current = props;
    });

    useEffect(() => {
      const listening = new AbortController();
      const call = (event: Event) => (latest.current[handlerOf(event.type)] as ((event: Event) => void) | undefined)?.(event);
      for (const type of events) element.current?.addEventListener(type, call, { signal: listening.signal });
      return () => listening.abort();
    }, []);

    // As properties, which React 18 does not set on custom elements. The element ignores values that have not changed.
    useEffect(() => {
      if (element.current !== null) Object.assign(element.current, Object.fromEntries(options.map((name) => [name, props[name] ?? null])));
    });

    const others = Object.entries(props).filter(([name]) => !own.has(name));
    // React 18 does not know `className` on custom elements, React 19 knows both.
    return createElement(tag, { ...Object.fromEntries(others), class: props.className, ref: element });
  });
  component.displayName = tag === "countersign-sign" ? "CountersignSign" : "CountersignVault";
  return component as ForwardRefExoticComponent<P & RefAttributes<Element>>;
}

function handlerOf(type: string): string {
  return `on${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}
