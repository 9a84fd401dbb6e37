/** Fewer tests than this in a whole run means that some were not found. Raise it as tests are added. */
export const MINIMUM_TESTS = 2000
