import { closestWord } from '../../core/closest-word.js'
import { refuseUsage } from '../faults.js'
import { sanitizeLine } from '../print/sanitize.js'
import { SCHEMA_TOPICS } from '../schema/topics.js'
import type { CliCommand } from './command.js'

const NAMES = SCHEMA_TOPICS.map(({ name }) => name)
const WIDTH = Math.max(...NAMES.map((name) => name.length))

/** `enso schema`: JSON Schema 2020-12, or OpenAPI, of everything that is read or written. */
export const schemaCommand: CliCommand = {
  name: 'schema',
  usage: ['schema', `schema ${NAMES.join('|')}`],
  about:
    'Prints the JSON Schema (2020-12) of a line, a request, a file, or the OpenAPI document of the server: made from ' +
    'what enso itself checks by. Without a word it lists what there is.',
  flags: [],
  examples: [
    ['enso schema lines > lines.schema.json', 'for a program that reads --json'],
    ['enso schema config > ~/.enso/config.schema.json', 'for an editor: name it as $schema in config.json'],
    ['enso schema http > enso.openapi.json', 'for a client of enso serve'],
  ],
  run: async ({ line, io, parts }) => {
    const [name, ...more] = [...line.words, ...line.literal]
    if (name === undefined) {
      io.stdout.write(SCHEMA_TOPICS.map(({ name, about }) => `${name.padEnd(WIDTH)}  ${about}\n`).join(''))
      return 0
    }
    const topic = SCHEMA_TOPICS.find((one) => one.name === name)
    if (topic === undefined || more.length > 0) {
      const meant = closestWord(name, NAMES)
      return refuseUsage(io, [], {
        reason: topic === undefined ? `there is no schema '${sanitizeLine(name)}'` : 'schema takes one word',
        hint: topic === undefined && meant !== undefined ? `did you mean ${meant}?` : NAMES.join(', '),
      })
    }
    io.stdout.write(`${JSON.stringify(await topic.make(parts), null, 2)}\n`)
    return 0
  },
}
