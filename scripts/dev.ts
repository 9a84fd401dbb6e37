// Runs enso from its sources: `npm run dev -- "hello"`.
import { run } from '../src/compose.js'

await run()
