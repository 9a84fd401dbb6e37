/** What a process exits with, the word a result says beside it, and what that means. */
export const EXIT_CODES: readonly (readonly [code: string, outcome: string, meaning: string])[] = [
  ['0', 'done', 'settled, and the last reply is a reply'],
  ['1', 'error', 'the run failed, or the reply was empty or cut short'],
  ['2', 'usage', 'the command line, the configuration, or an unknown model'],
  ['3', 'blocked', 'a question that nobody could answer'],
  ['4', 'limit', 'turns, cost, tokens, time or idle time'],
  ['5', 'provider', 'the provider refused or could not be reached, or there are no credentials'],
  ['6', 'busy, not-found', 'the thread is in use by another process, or unknown'],
  ['129, 130, 143', 'aborted', 'stopped by a signal, by Ctrl-C, or by a request'],
]

/** The same in three lines, for the end of a screen. */
export const EXIT_CODES_IN_SHORT = `Exit codes
  0 done    1 error    2 usage    3 blocked (nobody could answer)    4 limit
  5 provider    6 thread busy or not found    129, 130, 143 stopped by a signal`
