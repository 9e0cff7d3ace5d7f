/** One page of a list: `page` counts from 1, and `limit` was already held to the list's maximum. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** all of the list, not only this page */
  readonly total: number;
}
