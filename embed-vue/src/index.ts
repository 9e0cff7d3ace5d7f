/** <countersign-sign> and <countersign-vault> as Vue components. On a server they render an empty element. */
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
  type AllowedComponentProps,
  type ComponentCustomProps,
  defineComponent,
  h,
  onMounted,
  shallowRef,
  type VNodeProps,
  watchPostEffect,
} from "vue";

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

export type CountersignSignProps = SignOptions & EventHandlers<keyof FrameEvents>;
export type CountersignVaultProps = VaultOptions & EventHandlers<(typeof vaultEvents)[number]>;

/** A component, as templates and `h` understand it in every Vue 3. */
type ComponentOf<Element, Props> = new () => {
  readonly $props: AllowedComponentProps & ComponentCustomProps & VNodeProps & Props;
  /** For a template ref. null until the component is mounted. */
  readonly element: Element | null;
};

/** The signing page of one envelope. */
export const CountersignSign = componentOf<SignElement, CountersignSignProps>(
  "countersign-sign",
  "CountersignSign",
  signOptions,
  signEvents,
);

/** The vault page of one envelope. */
export const CountersignVault = componentOf<VaultElement, CountersignVaultProps>(
  "countersign-vault",
  "CountersignVault",
  vaultOptions,
  vaultEvents,
);

function componentOf<Element extends HTMLElement, Props>(
  tag: string,
  name: string,
  options: readonly string[],
  events: readonly string[],
): ComponentOf<Element, Props> {
  const component = defineComponent(
    (props: Readonly<Record<string, unknown>>, { emit, expose }) => {
      const element = shallowRef<Element | null>(null);
      expose({ element });
      onMounted(() => {
        for (const type of events) element.value?.addEventListener(type, (event: Event) => emit(type, event));
      });
      // The element ignores values that have not changed.
      watchPostEffect(() => {
        const values = Object.fromEntries(options.map((option) => [option, props[option] ?? null]));
        if (element.value !== null) Object.assign(element.value, values);
      });
      return () => h(tag, { ref: element });
    },
    { name, props: [...options], emits: [...events] },
  );
  return component as unknown as ComponentOf<Element, Props>;
}
