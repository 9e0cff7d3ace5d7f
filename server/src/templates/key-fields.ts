import type { Field } from "../signing/field.ts";

const MAX_LENGTH = 50;

// Letters that Unicode does not take apart.
const spelled: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" };

/** `Start date` becomes `start_date`. A name without a Latin letter or digit becomes `field`. */
function keyOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => spelled[letter] ?? "")
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, MAX_LENGTH);
  if (plain === "") return "field";
  return /^[a-z]/.test(plain) ? plain : `f_${plain}`;
}

/** Gives a key to each field without one: from its name, with a number if another field has it. */
export function keyFields<F extends Pick<Field, "name" | "field_key">>(
  fields: readonly F[],
  present: readonly Pick<Field, "field_key">[],
): F[] {
  const taken = new Set([...present, ...fields].map(({ field_key }) => field_key));
  return fields.map((field) => {
    if (field.field_key !== null) return field;
    const plain = keyOf(field.name);
    let field_key = plain;
    for (let n = 2; taken.has(field_key); n++) field_key = `${plain}_${n}`;
    taken.add(field_key);
    return { ...field, field_key };
  });
}
