import { isIP } from 'node:net'

/** Is this an address that only programs of this machine reach? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * Why the server won't listen on an address, or nothing. Beyond this machine it listens only where that was said in so
 * many words, and never on every interface at once: each one that is meant can be named.
 */
export function bindRefusal(host: string, allowRemote: boolean): string | undefined {
  if (isWildcard(host)) return `${host} is every interface of this machine: name the one address that is meant`
  if (isLoopback(host) || allowRemote) return undefined
  return `${host} can be reached from other machines: whoever has the token can run commands here`
}

function isWildcard(host: string): boolean {
  return (
    host === '' ||
    host === '*' ||
    /^0*(\.0*)*$/.test(host) ||
    /^[0:]+$/.test(host) ||
    /^::ffff:0*(\.0*){3}$/i.test(host)
  )
}
