/** Tokens and dollars of a set of messages. */
export interface Spending {
  readonly messages: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cost: number
}

/** Sums the spending of messages. */
export interface SpendingTally {
  add(message: Omit<Spending, 'messages'>): void
  sum(): Spending
}

/**
 * An empty tally. Dollars are added with the rounding error carried along (Neumaier), so that the same messages summed
 * in another order or in groups come to the same amount.
 */
export function createSpendingTally(): SpendingTally {
  const sums = { messages: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let cost = 0
  let carried = 0
  return {
    add(message) {
      sums.messages++
      sums.input += message.input
      sums.output += message.output
      sums.cacheRead += message.cacheRead
      sums.cacheWrite += message.cacheWrite
      const total = cost + message.cost
      carried += Math.abs(cost) >= Math.abs(message.cost) ? cost - total + message.cost : message.cost - total + cost
      cost = total
    },
    sum: () => ({ ...sums, cost: cost + carried }),
  }
}
