// A process that takes and gives back locks as it is told: one command a line on stdin, one answer a line on stdout.
//   take PATH | take-over PATH  →  held | refused MESSAGE
//   check                       →  held | lost MESSAGE
//   release                     →  released
import { createThreadLocks, type ThreadLock } from '../../src/thread/thread-lock.js'

let lock: ThreadLock | undefined

function answer(command: string): string {
  const [word, path = ''] = command.split(' ')
  try {
    if (word === 'take' || word === 'take-over') {
      lock = createThreadLocks({ takeOver: word === 'take-over' }).acquire(path)
      return 'held'
    }
    if (word === 'check') {
      lock?.assertHeld()
      return 'held'
    }
    lock?.release()
    return 'released'
  } catch (error) {
    return `${word === 'check' ? 'lost' : 'refused'} ${(error as Error).message}`
  }
}

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) process.stdout.write(`${answer(line)}\n`)
})
process.stdout.write('ready\n')
