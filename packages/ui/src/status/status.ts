/** State of a thing. Each has a shape of its own, so that no state is shown by colour alone. */
export type Status = 'ok' | 'warning' | 'danger' | 'failed' | 'info' | 'paused' | 'stopped'
