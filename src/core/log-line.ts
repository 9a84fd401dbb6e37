import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/**
 * One line of a day's log file, as the writer's formatter makes it.
 *
 * `logger` is the category joined by dots; the level is in capitals, and a warning is spelled `WARN`. `message` is the
 * template, with the values it names beside it in `properties`.
 */
export const EnsoLogLine = Type.Object({
  '@timestamp': Type.String(),
  level: Type.Union([
    Type.Literal('TRACE'),
    Type.Literal('DEBUG'),
    Type.Literal('INFO'),
    Type.Literal('WARN'),
    Type.Literal('ERROR'),
    Type.Literal('FATAL'),
  ]),
  logger: Type.String(),
  message: Type.Optional(Type.String()),
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type EnsoLogLine = Static<typeof EnsoLogLine>

/**
 * What a browser page sends to `POST /api/logs`: its records at info and above.
 *
 * `at` is the page's clock; the file's own time is that of receipt. `page` tells one tab from another. `logger` has to
 * be under `enso.browser`: nobody outside says what the host or a guard logged.
 */
export const EnsoBrowserLogBatch = Type.Object({
  page: Type.String(),
  records: Type.Array(
    Type.Object({
      at: Type.String(),
      level: Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')]),
      logger: Type.String(),
      message: Type.String(),
      properties: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
})
export type EnsoBrowserLogBatch = Static<typeof EnsoBrowserLogBatch>
