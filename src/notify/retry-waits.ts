/** Seconds after each failed attempt to send something to a URL; after the last one it has failed. */
export const retryWaits = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 86_400, 86_400] as const
