/** Nothing was saved, because another window or person has changed the same values since they were read. The console found it, not the API. */
export class ChangedElsewhere extends Error {}
