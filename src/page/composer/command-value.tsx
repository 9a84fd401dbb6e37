import type { RuntimeCommand } from '../../core/index.js'
import { setSetting } from '../state/acts.js'
import { PickerList } from '../ui/picker.js'

interface CommandValueProps {
  readonly threadId: string
  readonly command: RuntimeCommand
  readonly onClose: () => void
}

/** The second step of a command that takes a value: which one. */
export function CommandValue({ threadId, command, onClose }: CommandValueProps) {
  return (
    <div class="command-value">
      <PickerList
        label={command.description ?? command.name}
        value={command.value}
        options={command.options ?? []}
        onClose={onClose}
        onPick={(value) => {
          onClose()
          if (value !== command.value) void setSetting(threadId, command, value)
        }}
      />
    </div>
  )
}
