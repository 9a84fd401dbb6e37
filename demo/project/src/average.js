/** The average of a list of readings. */
export function average(readings) {
  let sum = 0
  for (let i = 1; i < readings.length; i++) sum += readings[i]
  return sum / readings.length
}
