/** A language whose one-liners are looked into. */
export type Language = 'python' | 'javascript' | 'perl' | 'ruby' | 'php' | 'awk' | 'other'
