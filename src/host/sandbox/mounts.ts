/** One change to the read-only view of the file system that a sandboxed command starts from. */
export type Mount =
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'read-only'; readonly path: string }
  | { readonly kind: 'hide-file'; readonly path: string }
  | { readonly kind: 'hide-folder'; readonly path: string }

const depth = (path: string): number => path.split('/').filter((segment) => segment !== '').length
/** At one path a restriction is laid over a permission, never under it. */
const RANK: Readonly<Record<Mount['kind'], number>> = { write: 0, 'read-only': 1, 'hide-file': 2, 'hide-folder': 2 }

/**
 * The mounts in the order they are laid: parents before what is in them, so that the more exact path decides, and at one
 * path the stricter kind last.
 */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  return mounts.toSorted((a, b) => depth(a.path) - depth(b.path) || RANK[a.kind] - RANK[b.kind])
}

/** The arguments of bubblewrap for one mount. */
export function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case 'write':
      return ['--bind', mount.path, mount.path]
    case 'read-only':
      return ['--ro-bind', mount.path, mount.path]
    case 'hide-file':
      return ['--ro-bind', '/dev/null', mount.path]
    case 'hide-folder':
      return ['--tmpfs', mount.path]
  }
}
