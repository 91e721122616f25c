import manifest from '../package.json' with { type: 'json' }

/** Version of the agent: the version of Pult with which it is built. */
export const { version } = manifest
