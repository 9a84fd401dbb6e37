/** The projects of threads that were begun here: until a thread has a file, only the page knows where it belongs. */
const projects = new Map<string, string>()

/** A new thread's id, in a project. */
export function newThread(projectId: string | undefined): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  const threadId = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (projectId !== undefined) projects.set(threadId, projectId)
  return threadId
}

/** The project a thread was begun in here. */
export function projectOf(threadId: string): string | undefined {
  return projects.get(threadId)
}
