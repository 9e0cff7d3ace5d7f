import { type FieldSettings, isMark, type SentField } from "./field.ts";

/**
 * What a signer fills in once: a field, or several linked fields of one role with the same name and type. Signatures and initials are
 * never linked, because each must be clicked.
 */
export interface Step {
  readonly field_id: string;
  readonly name: string;
  readonly type: SentField["type"];
  readonly role: string;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly options: readonly string[] | null;
  readonly settings: FieldSettings;
  /** the sender's value, otherwise the document's default */
  readonly given: string | null;
  readonly fields: readonly [SentField, ...SentField[]];
}

export function stepsOf(fields: readonly SentField[]): Step[] {
  const groups = new Map<string, [SentField, ...SentField[]]>();
  for (const field of fields) {
    const key = keyOf(field);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [field]);
    else group.push(field);
  }
  return [...groups.values()].map(stepOf);
}

/** Fields are not linked if only one of them is locked, or if their options or settings differ. */
function keyOf(field: SentField): string {
  const { role, name, type, readonly, options, settings, position } = field;
  const inOrder = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return isMark(field) ? String(position) : JSON.stringify([role, name, type, readonly, options, inOrder]);
}

/** How many boxes of the step's group are ticked; empty if it is in no group, or its group has no limits. */
export function ticksOf({ role, settings: { group } }: Step, steps: readonly Step[]): Pick<FieldSettings, "min" | "max"> {
  if (group === undefined) return {};
  const limits = steps.find(({ settings: set, role: its }) => {
    return its === role && set.group === group && (set.min !== undefined || set.max !== undefined);
  });
  const { min, max } = limits?.settings ?? {};
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function stepOf(fields: [SentField, ...SentField[]]): Step {
  const [{ position, name, type, role, readonly, options, settings }] = fields;
  const given = (pick: (field: SentField) => string | null) => fields.map(pick).find((value) => value !== null) ?? null;
  return {
    field_id: `f${position}`,
    name,
    type,
    role,
    required: fields.some((field) => field.required),
    readonly,
    options,
    settings,
    given: given(({ prefilled }) => prefilled) ?? given(({ default_value }) => default_value),
    fields,
  };
}

// Fields whose tops differ by less are on the same line.
const BANDS = 100;

/** In reading order: by page, then line, then from left to right. */
export function inReadingOrder(steps: readonly Step[]): Step[] {
  const place = ({ fields: [{ areas, position }] }: Step) => {
    const [area] = areas;
    return area === undefined ? [Infinity, 0, 0, position] : [area.page, Math.floor(area.y * BANDS), area.x, position];
  };
  return [...steps].sort((a, b) => {
    const [left, right] = [place(a), place(b)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
  });
}
