/**
 * For every PDF pool of a test, except those that test the limit. A pool counts all growth of its process since its first thread, up to
 * 768 MB for each thread, and ends the job that has run longest. In a test run, other files grow in the same process.
 */
export const SHARED_PROCESS = { memory_bytes_per_worker: 64 * 1024 ** 3 } as const;
