import manifest from '../package.json' with { type: 'json' }

/** Version of the agent: that of the Pult with which it is built. */
export const { version } = manifest
