// The server's calls and what they answer, for extensions. A module of its own: an app that calls nothing loads nothing.
export * from '@pult/contract'
