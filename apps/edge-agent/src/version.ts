/** Of the agent. Counts up with each change of it that somebody may notice. */
export const version = '1.0.0'
