/** What a message or state means. Every component that takes a tone also shows it by a shape. */
export type Tone = 'info' | 'success' | 'warning' | 'danger'
