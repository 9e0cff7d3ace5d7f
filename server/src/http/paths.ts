import type { Endpoint } from "./endpoint.ts";

export const API_PREFIX = "/api/v2";

/** The pages of people who act for parties have their API beside them. */
const PEOPLE_PREFIX = "/p/api/";

/** The path under which an endpoint is served. */
export const servedPath = (path: string): string => (path.startsWith(PEOPLE_PREFIX) ? path : API_PREFIX + path);

export const isApiPath = (url: string): boolean => url.startsWith(API_PREFIX) || url.startsWith(PEOPLE_PREFIX);

/** A path of the API and its methods, for the `Allow` header of a 405. */
export interface Path {
  /** as endpoints name it: `/partner/envelopes/:envelope_id` */
  readonly path: string;
  readonly methods: ReadonlySet<string>;
}

// The router has the same limit.
export const MAX_PARAM_LENGTH = 200;

/** Finds the path that an address belongs to. Needed only for requests without a route, so it is prepared on the first such request. */
export function pathFinder(endpoints: readonly Endpoint[]): (address: string) => Path | undefined {
  let known: (Path & { readonly pattern: RegExp })[] | undefined;
  return (address) => {
    known ??= pathsOf(endpoints).map((one) => ({ ...one, pattern: patternOf(one.path) }));
    return known.find(({ pattern }) => pattern.test(address));
  };
}

function pathsOf(endpoints: readonly Endpoint[]): Path[] {
  const methodsOf = new Map<string, Set<string>>();
  for (const { path, method, acting } of endpoints) {
    const methods = methodsOf.get(path) ?? new Set<string>();
    methodsOf.set(path, methods.add(method));
    if (method === "GET" && !acting) methods.add("HEAD");
  }
  // Fixed words before parameters: `…/bulk` is not an id.
  const rank = (path: string): string => path.replaceAll(":", "\uffff");
  return [...methodsOf].map(([path, methods]) => ({ path, methods })).sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
}

function patternOf(path: string): RegExp {
  const words = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${servedPath(words).replace(/:\w+/g, `[^/]{1,${MAX_PARAM_LENGTH}}`)}$`);
}
