/** The names this server is known by: the only Host and Origin headers it takes. */
export interface Addresses {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

export interface AddressOptions {
  /** What was bound, without brackets. */
  readonly host: string
  readonly port: number
  /** Where a reverse proxy shows the server; extends the constants, and replaces none. */
  readonly publicUrl?: URL | undefined
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '::1']

/** A host as a URL writes it. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Constants, made once: a header is compared with these and never with another header. */
export function addressesOf({ host, port, publicUrl }: AddressOptions): Addresses {
  const names = new Set([...LOOPBACK_NAMES, host].map((name) => hostInUrl(name).toLowerCase()))
  const hosts = new Set<string>()
  const origins = new Set<string>()
  for (const name of names) {
    hosts.add(`${name}:${port}`)
    // Port 80 is left out of both headers.
    if (port === 80) hosts.add(name)
    origins.add(new URL(`http://${name}:${port}`).origin)
  }
  if (publicUrl !== undefined) {
    hosts.add(publicUrl.host)
    origins.add(publicUrl.origin)
  }
  return { hosts, origins }
}
