/** The tone of a message or state. Every component with a tone also shows it by a shape. */
export type Tone = 'info' | 'success' | 'warning' | 'danger'
