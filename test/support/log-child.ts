// A process of its own that logs: `log-child.js LOGSDIR HOW COUNT`. `HOW` is how it ends.
import { configureLogging } from '../../src/log/configure.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { ensoLogger } from '../../src/core/log.js'

const [logsDir = '', how = 'return', count = '1'] = process.argv.slice(2)
const handle = await configureLogging({
  logsDir,
  process: 'child',
  env: process.env,
  secrets: createKnownSecrets(),
  stderr: process.stderr,
  clock: {
    now: Date.now,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  },
})
const log = ensoLogger('host', 'child')
const padding = 'x'.repeat(500)
for (let n = 0; n < Number(count); n++) {
  log.info('record {n}', { n, padding })
  // A turn of the loop now and then, so that batches are written in between as well.
  if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
}
if (how === 'close') await handle.close()
if (how === 'exit') process.exit(3)
if (how === 'throw') throw new Error('on purpose')
if (how === 'kill') {
  process.stdout.write('logged\n')
  setInterval(() => undefined, 1000)
}
