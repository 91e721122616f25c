/**
 * Asks for the outcome of a command that an agent has acknowledged. An agent answers a command whose id it remembers
 * with the stored outcome of any command. An agent that does not remember the id refuses this one and starts
 * nothing, because no edge declares the key. The answer then contains the key (decision record 219).
 */
export const outcomeRequest = { name: 'run', key: 'outcome-of-an-earlier-command', values: {} } as const
