import { jsonLine, type ListedModel } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import { rememberModels } from '../completion/known-models.js'
import { count, fit, usableWidth } from '../print/layout.js'
import { sanitizeLine } from '../print/sanitize.js'
import { refuseUsage } from '../faults.js'
import type { CliCommand } from './command.js'

/** Does a model answer to every word of a search? */
function matches({ provider, id, name }: ListedModel, words: readonly string[]): boolean {
  const text = `${provider}/${id} ${name}`.toLowerCase()
  return words.every((word) => text.includes(word.toLowerCase()))
}

/** `enso models`: what can be named with `-m`, and what could run now. */
export const modelsCommand: CliCommand = {
  name: 'models',
  usage: ['models [--all] [WORD…]', 'models --local [--use [MODEL]]'],
  about: 'Lists the models that could run now: those with credentials, and those of models.json.',
  flags: [
    {
      title: 'Flags',
      flags: [
        { name: 'all', short: 'a', help: 'also those that have no credentials' },
        { name: 'json', help: 'one JSON object a line' },
        { name: 'local', help: 'those of model servers that answer on this machine' },
        { name: 'use', value: 'MODEL', optional: true, help: 'with --local: agree to use one from now on' },
      ],
    },
  ],
  examples: [
    ['enso models', 'what could run now'],
    ['enso models --all sonnet', 'every model with that word'],
    ['enso models --local --use', 'agree to the model server of this machine'],
  ],
  run: async (invocation) => {
    const { line, io, parts } = invocation
    if (line.has('local')) return (await import('./local-models.js')).runLocalModels(invocation)
    if (line.has('use')) return refuseUsage(io, [], { reason: '--use needs --local' })
    const words = [...line.words, ...line.literal]
    const host = await parts.agentHost({ cwd: canonicalPath(io.cwd) })
    try {
      const all = await host.listModels()
      rememberModels(parts.home, all)
      const known = all.filter((model) => matches(model, words))
      const models = line.has('all') ? known : known.filter((model) => model.available)
      if (line.has('json')) {
        for (const model of models) io.stdout.write(`${jsonLine(model)}\n`)
        return 0
      }
      const width = usableWidth(io.stdout)
      const named = models.map((model) => ({ ...model, full: sanitizeLine(`${model.provider}/${model.id}`) }))
      const column = Math.min(48, Math.max(0, ...named.map(({ full }) => full.length)))
      for (const { full, name, contextWindow, available } of named) {
        const state = available ? '' : '  (no credentials)'
        const text = `${full.padEnd(column)}  ${count(contextWindow).padStart(7)}  ${sanitizeLine(name)}${state}`
        io.stdout.write(`${fit(text, width)}\n`)
      }
      if (models.length === 0) io.stderr.write(nothing(known.length, parts.home.agentDir))
      return 0
    } finally {
      await host.dispose()
    }
  },
}

function nothing(without: number, agentDir: string): string {
  const more = without === 0 ? '' : `, ${without} without credentials (--all lists them)`
  return `no model could run now${more}\n  set a provider's key in the environment, or name an endpoint in ${agentDir}/models.json\n`
}
