// Edits of small packages that do at load what is needed later or never.
import { applyEdits } from './edits.js'

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  {
    file: /\/yargs\/helpers\/helpers\.mjs$/,
    why: 'the parser stands beside what looks for files around the program',
    replace: [[/^[^]*$/, "import Parser from 'yargs-parser'\nexport { Parser }\n"]],
  },
  {
    file: /\/string-width\/index\.js$/,
    why: 'making a segmenter loads tables of all alphabets, for text that is mostly Latin',
    replace: [
      ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
      ['segmenter.segment(string)', '(segmenter ??= new Intl.Segmenter()).segment(string)'],
      ['let width = 0;', 'if (/^[ -~]*$/.test(string)) return string.length;\n\tlet width = 0;'],
    ],
  },
  {
    file: /\/uuid\/dist-node\/rng\.js$/,
    why: 'the global of that name loads all of the web’s cryptography',
    replace: [
      [/^/, "import { randomFillSync } from 'node:crypto'\n"],
      ['crypto.getRandomValues(rnds8)', 'randomFillSync(rnds8)'],
    ],
  },
]

/** @returns {import('esbuild').Plugin} */
export function slimParts() {
  return { name: 'slim-parts', setup: (build) => applyEdits(build, EDITS) }
}
