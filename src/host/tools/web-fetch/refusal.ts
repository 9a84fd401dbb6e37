/** Why a page is not fetched. One word a check, so that a refusal can be counted and tested. */
export type WebFetchRefusalCode =
  | 'config-unreadable'
  | 'url-too-long'
  | 'invalid-url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'host-not-allowed'
  | 'private-address'
  | 'unresolved'
  | 'redirect-host'
  | 'redirect-limit'
  | 'redirect-downgrade'
  | 'content-type'
  | 'content-encoding'
  | 'too-deep'
  | 'timeout'
  | 'network'

/** A fetch that was refused: `code` for a program, `reason` for the model and the person. */
export interface WebFetchRefusal {
  readonly kind: 'refused'
  readonly code: WebFetchRefusalCode
  readonly reason: string
}

export function refused(code: WebFetchRefusalCode, reason: string): WebFetchRefusal {
  return { kind: 'refused', code, reason }
}
