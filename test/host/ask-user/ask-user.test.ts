import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExtensionContext, ExtensionUIContext } from '@mariozechner/pi-coding-agent'
import { isEnsoToolResultDescriptor, QUESTIONNAIRE_COMPONENT_KEY } from '../../../src/core/index.js'
import { createAskUserTool } from '../../../src/host/tools/ask-user/ask-user.js'

const option = (label: string): object => ({ label, description: `means ${label}` })
const single = {
  header: 'Colour',
  question: 'Which colour?',
  options: [option('red'), option('blue')],
  multiSelect: false,
}
const many = { header: 'Days', question: 'Which days?', options: [option('Mon'), option('Tue')], multiSelect: true }

interface Asked {
  readonly text: string
  readonly details: Record<string, unknown>
}

async function ask(
  ui: Partial<ExtensionUIContext>,
  questions: object[],
  options: { canAsk?: boolean; signal?: AbortSignal } = {},
): Promise<Asked> {
  const tool = createAskUserTool({ canAsk: () => options.canAsk ?? true })
  const ctx = { ui: { custom: async () => undefined, ...ui } } as unknown as ExtensionContext
  const result = await tool.execute('call', { questions }, options.signal, undefined, ctx)
  const [part] = result.content
  return { text: part?.type === 'text' ? part.text : '', details: result.details as Record<string, unknown> }
}

/** A host that lifts the questionnaire and answers it. */
function lifting(answer: object, seen?: (carried: unknown) => void): Partial<ExtensionUIContext> {
  return {
    custom: async (factory) => {
      const component = await factory(undefined as never, undefined as never, undefined as never, () => undefined)
      seen?.((component as unknown as Record<symbol, unknown>)[QUESTIONNAIRE_COMPONENT_KEY])
      return answer as never
    },
  }
}

/** A host that can only ask plainly, and gets these answers in turn. */
function plain(...answers: (string | undefined)[]): Partial<ExtensionUIContext> & { asked: unknown[] } {
  const asked: unknown[] = []
  return {
    asked,
    select: async (title, options) => {
      asked.push([title, options])
      const next = answers.shift()
      return next === undefined ? undefined : options.find((each) => each.includes(next))
    },
    input: async (title) => {
      asked.push([title])
      return answers.shift()
    },
  }
}

test('the questions go out as one questionnaire and the answers come back in words', async () => {
  let carried: unknown
  const answers = [{ selected: ['blue'] }, { selected: ['Mon', 'Tue'], other: 'not too early' }]
  const { text, details } = await ask(
    lifting({ answers }, (spec) => (carried = spec)),
    [single, many],
  )
  assert.deepEqual(carried, { method: 'questionnaire', title: '2 questions', questions: [single, many] })
  assert.equal(
    text,
    '[Colour] Which colour?\nAnswer: blue\n\n[Days] Which days?\nAnswer: Mon, Tue, in their own words: not too early',
  )
  const descriptor = details['enso:toolResult']
  assert.ok(isEnsoToolResultDescriptor(descriptor) && descriptor.kind === 'ask_user')
  assert.deepEqual(descriptor.props['answers'], answers)
})

test('a decline is worded by why there is no answer', async () => {
  const declined = lifting({ cancelled: true })
  assert.equal((await ask(declined, [single])).text, 'The person declined to answer.')
  assert.match((await ask(declined, [single], { canAsk: false })).text, /^Nobody is there to answer/)
  assert.match((await ask(declined, [single], { signal: AbortSignal.abort() })).text, /^The run was stopped/)
})

test('repeated headers and options are refused by name', async () => {
  await assert.rejects(ask({}, [single, single]), /question 2 repeats the header "Colour"/)
  const twice = { ...single, options: [option('red'), option('red')] }
  await assert.rejects(ask({}, [twice]), /question 1 repeats the option "red"/)
})

test('a host without questionnaires asks one question after another', async () => {
  const ui = plain('blue', 'Mon', 'Other', 'late', 'Done')
  const { text } = await ask(ui, [single, many])
  assert.match(text, /Answer: blue\n\n.*\nAnswer: Mon, in their own words: late$/)
  assert.deepEqual(ui.asked[0], [
    'Colour: Which colour?',
    ['red: means red', 'blue: means blue', 'Other (in your own words)'],
  ])
  assert.ok(!JSON.stringify(ui.asked[1]).includes('Done'), 'an empty choice can not be closed')
})

test('an entry chosen twice is not chosen', async () => {
  assert.match((await ask(plain('Mon', 'Tue', 'Mon', 'Done'), [many])).text, /Answer: Tue$/)
})

test('dismissing any plain question, or blank words, declines the whole', async () => {
  assert.match((await ask(plain('blue', undefined), [single, many])).text, /declined/)
  assert.match((await ask(plain('Other', '  '), [single])).text, /declined/)
})

test('a component drawn by another host ends at once with nothing', async () => {
  const ended: unknown[] = []
  const drawing: Partial<ExtensionUIContext> = {
    custom: <T>(factory: Parameters<ExtensionUIContext['custom']>[0]) =>
      new Promise<T>((resolve) => {
        const done = (value: unknown): void => {
          ended.push(value)
          resolve(value as T)
        }
        void factory(undefined as never, undefined as never, undefined as never, done)
      }),
  }
  const { text } = await ask({ ...drawing, ...plain('red') }, [single])
  assert.deepEqual(ended, [undefined])
  assert.match(text, /Answer: red$/)
})
