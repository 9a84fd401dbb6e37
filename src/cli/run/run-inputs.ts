import type { CliIo } from '../io.js'
import { type AnswerFile, prepareAnswerFile } from './answer-file.js'
import { type AnswerRules, readAnswersFile } from './answers.js'
import { readOutputSchema } from './read-output-schema.js'
import type { RunOptions } from './run-options.js'
import { inFolder } from './run-thread.js'

/** The files beside the prompt that a run is given by its options. */
export interface RunInputs {
  readonly answers?: AnswerRules
  readonly outputSchema?: unknown
  readonly answerFile?: AnswerFile
}

/**
 * Reads what the options name, before anything costs money.
 * @throws EnsoError `bad-input` for a file that can't be taken
 */
export async function readRunInputs(
  { answersFile, outputSchema, outputFile }: RunOptions,
  folder: string,
  io: Pick<CliIo, 'env'>,
): Promise<RunInputs> {
  const at = (path: string): string => inFolder(path, folder, io)
  return {
    ...(answersFile === undefined ? {} : { answers: await readAnswersFile(at(answersFile), answersFile) }),
    ...(outputSchema === undefined ? {} : { outputSchema: await readOutputSchema(at(outputSchema), outputSchema) }),
    ...(outputFile === undefined ? {} : { answerFile: prepareAnswerFile(at(outputFile), outputFile) }),
  }
}
