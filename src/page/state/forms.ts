import { signal } from '@preact/signals'

/** A form that lies over the page. */
export type OpenForm = { readonly kind: 'thread'; readonly projectId?: string } | { readonly kind: 'project' }

/** The form that is open. */
export const form = signal<OpenForm | undefined>(undefined)

/** Opens a form. */
export function openForm(next: OpenForm): void {
  form.value = next
}

/** Closes whatever form is open. */
export function closeForm(): void {
  form.value = undefined
}
