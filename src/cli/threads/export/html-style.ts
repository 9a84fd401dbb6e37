/** The look of an exported page: readable on paper and on a screen, light and dark. */
export const EXPORT_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; }
h2 { font-size: .8rem; font-weight: 600; margin: 0 0 .3rem; opacity: .7; }
time { font-weight: 400; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem; }
dt { opacity: .7; }
dd { margin: 0; }
section { margin: 1rem 0; }
.prompt { border-left: 3px solid #4a8; padding-left: .8rem; }
.text, pre { white-space: pre-wrap; }
pre { font: .85rem/1.4 ui-monospace, monospace; margin: .3rem 0; padding: .5rem; background: #8881; }
summary { font: .85rem ui-monospace, monospace; cursor: pointer; }
.bad, .bad summary { color: #c33; }
.note, .thinking { opacity: .75; font-size: .9rem; }
img { max-width: 100%; }
@media print { details > pre { display: block; } }
`
