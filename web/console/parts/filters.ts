import { query } from "../navigation.ts";

/** Filters from the query of the address. They are not validated here; the API rejects invalid values. */
export const filtersFrom = <Q extends object>(names: readonly (keyof Q & string)[]): { readonly [N in keyof Q]?: Q[N] | null } =>
  Object.fromEntries(names.map((name) => [name, query.value.get(name)])) as { readonly [N in keyof Q]?: Q[N] | null };
