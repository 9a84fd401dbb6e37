import type { EnsoGuardRule } from '../../../core/index.js'
import type { GuardedCall } from './decide.js'

/** One rule as a person reads about it, with a call that shows its way out and is itself let through. */
export interface RuleRow {
  readonly rule: EnsoGuardRule
  readonly refuses: string
  readonly instead: string
  readonly example: GuardedCall
}

const bash = (command: string): GuardedCall => ({ toolName: 'bash', input: { command } })

/** Every rule, in the order in which the first that refuses is the one named. */
export const GUARD_RULE_TABLE: readonly RuleRow[] = [
  {
    rule: 'policy-mismatch',
    refuses:
      'every write and command while the policy can not be trusted, or while a file of the repository would switch protections off',
    instead: 'read on; the person corrects the policy',
    example: { toolName: 'read', input: { path: 'README.md' } },
  },
  {
    rule: 'cc-safety-net',
    refuses: 'commands that destroy work, and commands that can not be checked',
    instead: 'delete named paths inside the workspace, one plain command at a time',
    example: bash('rm -rf ./build'),
  },
  {
    rule: 'network-egress',
    refuses: 'connections to other hosts, pushes, publishing, installs from a URL',
    instead: 'web_fetch for a listed host; packages from their registry',
    example: { toolName: 'web_fetch', input: { url: 'https://docs.example.com/' } },
  },
  {
    rule: 'environment-dump',
    refuses: 'printing the whole environment, a variable that holds a secret, or the environment of a process',
    instead: 'one variable by its name, or a test whether it is set',
    example: bash('printenv PATH; test -n "$API_KEY"'),
  },
  {
    rule: 'secret-path',
    refuses: 'commands that read or write credentials, however the path is spelled, and commands that print one',
    instead: 'a template, or a test whether the file is there',
    example: bash('cat .env.example; test -f .env'),
  },
  {
    rule: 'write-confinement',
    refuses: 'writing outside the workspace, the temporary folder and the folders the person added',
    instead: 'the workspace or the temporary folder',
    example: bash('echo x > notes.txt'),
  },
  {
    rule: 'protected-internals',
    refuses: "writing git's own files, enso's home and enso.config.json, or setting what git runs",
    instead: 'git commands for what they do there',
    example: bash('git add -A && git commit -m "a change"'),
  },
  {
    rule: 'persistence-write',
    refuses:
      'writing what another program reads or runs later: shell start files, editor and agent settings, timers, install scripts',
    instead: 'an ordinary file that the person installs',
    example: { toolName: 'write', input: { path: 'proposed-bashrc.txt', content: 'x\n' } },
  },
  {
    rule: 'secret-write',
    refuses: 'writing files that hold credentials with a file tool',
    instead: 'a template',
    example: { toolName: 'write', input: { path: '.env.example', content: 'KEY=\n' } },
  },
  {
    rule: 'stale-write',
    refuses: 'replacing or editing a file that changed on the disk since it was read',
    instead: 'read it again',
    example: { toolName: 'read', input: { path: 'src/index.ts' } },
  },
  {
    rule: 'read-before-write',
    refuses: 'replacing or editing a file that was not read in this thread',
    instead: 'read it first',
    example: { toolName: 'read', input: { path: 'src/index.ts' } },
  },
  {
    rule: 'secret-read',
    refuses: 'reading or searching files that hold credentials with a file tool',
    instead: 'a template',
    example: { toolName: 'read', input: { path: '.env.example' } },
  },
]
