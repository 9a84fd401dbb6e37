/** Line drawings on a 24 by 24 ground. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  stop: 'M7 7h10v10H7z',
  send: 'M12 19V5M6 11l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 13l4 4L19 7',
  layers: 'M12 4l9 5-9 5-9-5zM3 14l9 5 9-5',
  chart: 'M5 20V10M12 20V4M19 20v-7',
  log: 'M5 5h14M5 10h14M5 15h9M5 20h6',
  folder: 'M3 6h6l2 2h10v11H3z',
  terminal: 'M4 6l5 5-5 5M11 18h9',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  pencil: 'M4 20l1-4L16 5l3 3L8 19z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  question: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M12 16.5v.1',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9v.1',
  tool: 'M5 19l7-7M14 4a5 5 0 0 0 6 6l-4-1-1-4z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
} as const

export type IconName = keyof typeof PATHS

/** A drawing beside words that say the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
