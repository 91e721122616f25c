/** State of a thing. Each state has its own shape, so that colour is never the only sign. */
export type Status = 'ok' | 'warning' | 'danger' | 'failed' | 'info' | 'paused' | 'stopped'
