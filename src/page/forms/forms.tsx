import { closeForm, form } from '../state/forms.js'
import { Modal } from './modal.js'
import { NewThread } from './new-thread.js'
import { AddProject } from './add-project.js'

/** The form that is open. */
export function Forms() {
  const open = form.value
  if (open === undefined) return null
  return (
    <Modal title={open.kind === 'thread' ? 'New thread' : 'Add a project'} onClose={closeForm}>
      {open.kind === 'thread' ? <NewThread projectId={open.projectId} /> : <AddProject />}
    </Modal>
  )
}
