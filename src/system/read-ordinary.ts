import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/**
 * The text of a file that others wrote: a pipe or a device in its place would hold up the whole process, or fill its
 * memory, and a repository can bring links to those along.
 * @throws what the file system throws (`ENOENT` where there is none), `EINVAL` for what is no file, `EFBIG` for a file
 * of more than `maxBytes`
 */
export function readOrdinaryFile(path: string, maxBytes: number): string {
  // Opening a pipe that nobody writes to would wait.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw fault('EINVAL', `${path} is no ordinary file`)
    if (stat.size > maxBytes) throw fault('EFBIG', `${path} is larger than ${maxBytes} bytes`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

function fault(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
