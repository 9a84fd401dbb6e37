/** What a thrown thing says, as a reason for a person. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
