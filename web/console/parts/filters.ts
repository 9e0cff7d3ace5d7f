import { query } from "../place.ts";

/** Filters as the address has them. Anybody can write anything there; what is no filter the service refuses. */
export const filtersFrom = <Q extends object>(names: readonly (keyof Q & string)[]): { readonly [N in keyof Q]?: Q[N] | null } =>
  Object.fromEntries(names.map((name) => [name, query.value.get(name)])) as { readonly [N in keyof Q]?: Q[N] | null };
