import { isUnknown } from './marks.js'

/** Text that comes from another program while this one runs: a pipe by a name of it, or a name not known yet. */
export const isStream = (word: string): boolean =>
  word === '-' || isUnknown(word) || /^\/dev\/(?:stdin$|fd\/|tcp\/|udp\/)|^\/proc\/[^/]+\/fd\//.test(word)
